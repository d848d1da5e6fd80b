//! Paragraph tests.
