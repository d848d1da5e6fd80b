SELECT system_identifier FROM pg_control_system()
