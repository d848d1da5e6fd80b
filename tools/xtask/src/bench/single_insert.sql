-- A pgbench script: the cost of a move without a service, one row per commit. Each client fills a match of
-- its own.
\set seq :seq + 1
INSERT INTO event (
    match_id, seq, record_time, hlc, writer, batch, kind, request_hash, hash, public, sealed, sealed_hash
) VALUES (
    (:run || lpad(to_hex(:client_id::integer), 24, '0'))::uuid,
    :seq, :time, :time, 1, :seq, :kind, :hash, :hash, :public, :sealed, :hash
)
