//! Paragraph tests: at least one for each LM-n, and for the G-n that this game can show.
