//! Drawings and event lines, compared with reviewed golden files and texts.

mod ace_exorcist;
mod angels_and_demons;
mod cresnovian_chess;
mod golden;
mod ludus_magus;
mod match_terms;
mod positions;
mod svg;
mod words;
