//! How a bot chooses its moves, as it is named on the command line.

use clap::ValueEnum;

/// How a bot chooses its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Skill {
    /// Any legal move.
    Random,
    /// The move that looks best one move ahead.
    #[default]
    Greedy,
}

/// The part of `--help` about skills.
pub(crate) const SKILLS: &str = "\
Skills of bots:
  greedy  picks the move that looks best one move ahead. In Ludus Magus and
          Cresnovian Chess it searches moves and the replies to the best of them;
          it values pieces, mana and nearness to the enemy Magus, or Q in its own
          kingdom. In Ace Exorcist it sees its own hand and the table; it values
          rituals, damage, cards kept and effective guards. In Angels and Demons
          it picks one of the spaces that gain most against likely choices. Ties
          are broken at random
  random  picks any legal move";
