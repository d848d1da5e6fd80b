//! Rules that every source file keeps: length, opening lines, no unfinished marks, one style of modules and
//! imports.

mod columns;
mod files;
mod imports;
mod reading;
mod types;
