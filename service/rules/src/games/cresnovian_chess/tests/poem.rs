//! CC-45, CC-60 and CC-61: words between poem and field, and documents.

use alloc::string::String;
use alloc::vec::Vec;

use super::{
    after, built, families, is_legal, listed, playing, poem, q, refusal, refused, sketch, with_words,
};
use crate::games::cresnovian_chess::{CresnovianChess, Fact, Move, Poem, PoemChange, Word};
use crate::{Game, QuestionKind, Step};

const NINE: &str = "a b c d e f g h i";

#[test]
fn cc_45_a_word_goes_from_the_poem_to_the_field() {
    let state = with_words(&sketch("cos@3,1=9"), NINE, None);
    let laid = after(&state, &["redefine 4 2,5"]);
    assert_eq!(poem(&laid), "a b c d f g h i");
    let (square, word) = playing(&laid).field.word().expect("a word was placed");
    assert_eq!((square.col(), word.as_str()), (5, "e"));
    for wrong in ["redefine 9 2,5", "redefine 4 1,1", "redefine 4 2,5 0", "redefine 4294967295 2,5"] {
        assert_eq!(refused(&state, wrong), "CC-45", "{wrong}");
    }
    assert_eq!(refused(&sketch("cos@3,1=9"), "redefine 0 2,5"), "CC-45");
    // Nine words, eighteen blank squares.
    assert_eq!(listed(&state, "redefine ").len(), 9 * 18);
}

#[test]
fn cc_45_the_old_word_goes_back_at_an_index_counted_after_the_removal() {
    let state = with_words(&sketch("cos@3,1=9"), NINE, Some(("old", "2,5")));
    assert_eq!(poem(&after(&state, &["redefine 0 1,5 0"])), "old b c d e f g h i");
    assert_eq!(poem(&after(&state, &["redefine 0 1,5 8"])), "b c d e f g h i old");
    assert_eq!(poem(&after(&state, &["redefine 8 1,5 4"])), "a b c d old e f g h");
    // The old word's square is free for the new word.
    let same = after(&state, &["redefine 2 2,5 2"]);
    assert_eq!(
        playing(&same).field.word().map(|(square, word)| (square.col(), word.as_str())),
        Some((5, "c"))
    );
    for wrong in ["redefine 0 1,5", "redefine 0 1,5 9", "redefine 9 1,5 0", "redefine 0 1,1 0"] {
        assert_eq!(refused(&state, wrong), "CC-45", "{wrong}");
    }
    assert_eq!(listed(&state, "redefine ").len(), 9 * 9 * 18);
    assert_eq!(built(&state, &["perform", "cos", "elite"]).len(), 9 * 9 * 18);
}

#[test]
fn cc_45_a_poem_of_one_word_can_be_exchanged() {
    let state = with_words(&sketch("cos@3,1=9"), "only", Some(("old", "2,5")));
    assert_eq!(poem(&after(&state, &["redefine 0 1,5 0"])), "old");
    assert_eq!(poem(&after(&with_words(&sketch("cos@3,1=9"), "only", None), &["redefine 0 1,5"])), "");
}

#[test]
fn cc_45_equal_words_at_other_indices_are_other_moves() {
    let state = with_words(&sketch("cos@3,1=9"), "echo echo", None);
    assert_eq!(listed(&state, "redefine ").len(), 2 * 18);
    assert_ne!(super::read("redefine 0 2,5"), super::read("redefine 1 2,5"));
}

#[test]
fn cc_45_on_a_full_field_only_the_old_words_square_is_free() {
    // 9 pieces, 17 monuments, 1 word.
    let mut things = String::from("cos@3,1=9");
    for (row, cols) in [(1, 2..9), (2, 2..9), (3, 2..5)] {
        for col in cols {
            things += &alloc::format!(" ess+{row},{}", if row == 3 { [2, 3, 7][col - 2] } else { col });
        }
    }
    let state = with_words(&sketch(&things), NINE, Some(("old", "3,8")));
    assert!(playing(&state).field.blanks().is_empty());
    assert_eq!(listed(&state, "redefine ").len(), 9 * 9);
    let full = after(&state, &["redefine 3 3,8 0"]);
    assert!(playing(&full).field.blanks().is_empty());
}

#[test]
fn cc_80_more_than_5000_redefinitions_are_not_listed() {
    let words = |count: usize| (0..count).map(|_| "w").collect::<Vec<_>>().join(" ");
    let few = with_words(&sketch("cos@3,1=9"), &words(277), None);
    assert_eq!(listed(&few, "redefine ").len(), 277 * 18);
    assert!(!families(&few).contains(&"redefinition"));
    let many = with_words(&sketch("cos@3,1=9"), &words(278), None);
    assert!(listed(&many, "redefine ").is_empty());
    assert!(families(&many).contains(&"redefinition"));
    assert!(is_legal(&many, "redefine 277 2,5"));
}

fn document(words: &[&str]) -> Move {
    Move::Document(words.iter().map(|word| Word::new(word)).collect())
}

#[test]
fn cc_60_exactly_9_words_are_appended() {
    let state = with_words(&sketch(""), "old", None);
    assert_eq!(poem(&after(&state, &["document a b c d e f g h i"])), "old a b c d e f g h i");
    for wrong in ["document", "document a b c d e f g h", "document a b c d e f g h i j"] {
        assert_eq!(refused(&state, wrong), "CC-60", "{wrong}");
    }
    assert!(families(&state).contains(&"document"));
}

#[test]
fn cc_60_a_word_has_1_to_32_characters_and_none_of_the_closed_list() {
    let state = sketch("");
    let with = |word: &str| document(&[word, "b", "c", "d", "e", "f", "g", "h", "i"]);
    let longest = "\u{1F600}".repeat(32);
    for fine in [
        "x",
        "?!",
        "don't",
        &longest,
        "e\u{301}",
        "\u{AD}",
        "\u{200C}",
        "\u{200D}",
        "\u{2061}",
        "\u{E000}",
        "\u{E0001}",
    ] {
        let mv = with(fine);
        assert!(CresnovianChess::play(&state, super::TWO, &mv).is_ok(), "{fine:?}");
        assert_eq!(CresnovianChess::parse_move(&CresnovianChess::print_move(&mv)), Ok(mv));
    }
    let refused_characters = [
        "\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{202C}", "\u{202E}", "\u{2060}",
        "\u{2066}", "\u{2069}", "\u{FEFF}", " ", "\t", "\n", "\u{A0}", "\u{2028}", "\u{3000}", "\u{85}",
        "\0", "\u{7F}", "\u{9F}",
    ];
    for character in refused_characters {
        let word = String::from("a") + character;
        assert_eq!(refusal(&state, &with(&word)).paragraph.as_str(), "CC-60", "{character:?}");
    }
    for wrong in ["", &"a".repeat(33), &"\u{1F600}".repeat(33)] {
        assert_eq!(refusal(&state, &with(wrong)).paragraph.as_str(), "CC-60", "{wrong:?}");
    }
}

#[test]
fn cc_60_a_document_is_built_word_by_word() {
    let path: Vec<String> = ["document", "one", "two"].map(String::from).to_vec();
    let Ok(Step::Ask(question)) = CresnovianChess::choices(&sketch(""), super::TWO, &path) else {
        panic!("a word is asked for");
    };
    assert_eq!(question.kind, QuestionKind::Text { min_chars: 1, max_chars: 32 });
    let bad: Vec<String> = ["document", "one", "two words"].map(String::from).to_vec();
    let bad = CresnovianChess::choices(&sketch(""), super::TWO, &bad).expect_err("a blank");
    assert_eq!((bad.index, bad.illegal.paragraph.as_str()), (2, "CC-60"));
}

#[test]
fn cc_61_every_live_piece_in_the_kingdom_gets_the_highest_q_there() {
    let state = sketch("ess@1,1=7b dua@2,1=0 cos@3,1=1 vel@3,2=3e inn@2,2=2b cog@3,9=1 cap@2,9=20");
    let written = after(&state, &["document a b c d e f g h i"]);
    let all = ["ess", "dua", "cos", "vel", "inn", "cog", "cap"].map(|piece| q(&written, piece));
    assert_eq!(all, ["7b", "0", "7", "3e", "7b", "1", "20"]);
    let eternal = sketch("ess@1,1=1 dua@2,1=2 cos@3,1=3e");
    assert_eq!(q(&after(&eternal, &["document a b c d e f g h i"]), "ess"), "3");
}

/// The expected hashes were computed with Python's hashlib.
#[test]
fn the_poems_hash_matches_an_independent_computation() {
    let mut poem = Poem::default();
    assert_eq!(*poem.hash(), [0; 32]);
    let words = |text: &str| text.split_whitespace().map(Word::new).collect();
    let change =
        |index, removed, inserted| PoemChange { index, removed: words(removed), inserted: words(inserted) };
    let hex = |poem: &Poem| poem.hash().iter().map(|byte| alloc::format!("{byte:02x}")).collect::<String>();
    assert!(poem.apply(&change(0, "", "the sea is a field of words that move")));
    assert_eq!(hex(&poem), "8a45a261e957f306adbfea4ec84d68cae0b1d583412d6819c7bfdd9196e28b89");
    assert!(poem.apply(&change(1, "sea", "")));
    assert!(poem.apply(&change(8, "", "\u{e9}t\u{e9}")));
    assert_eq!(hex(&poem), "96de040d62a8f0b6e53f26077f04002715e49e46c5fa9c7389fd60632bb71edc");
    let before = poem.clone();
    assert!(!poem.apply(&change(0, "sea", "")) && !poem.apply(&change(10, "", "sea")));
    assert!(poem == before);
}

/// Returns the changes of the poem among these facts.
fn changes(facts: &[Fact]) -> Vec<(u32, usize, usize)> {
    let change = |fact: &Fact| match fact {
        Fact::PoemChanged(change) => Some((change.index, change.removed.len(), change.inserted.len())),
        _ => None,
    };
    facts.iter().filter_map(change).collect()
}

#[test]
fn cc_46_a_rewind_undoes_the_changes_of_the_poem_one_by_one() {
    let words: Vec<String> = (0..900).map(|nth| alloc::format!("w{nth}")).collect();
    let start = sketch("vel@2,7=9 cap@2,2=9 cos@3,1=9");
    let start = with_words(&start, &words.join(" "), Some(("old", "2,5")));
    // The longest stretch that can differ: the first word leaves, and the old word comes last.
    let redefined = after(&start, &["redefine 0 1,5 899"]);
    let (rewound, facts) = super::played(&redefined, &["rewind"]);
    assert_eq!(changes(&facts), [(899, 1, 0), (0, 0, 1)]);
    assert_eq!(poem(&rewound), poem(&start));
    // The hash tells how the words came about.
    assert_ne!(playing(&rewound).field.poem.hash(), playing(&start).field.poem.hash());
    let written = after(&start, &["document a b c d e f g h i"]);
    let (rewound, facts) = super::played(&written, &["rewind"]);
    assert_eq!(changes(&facts), [(900, 9, 0)]);
    assert_eq!(poem(&rewound), poem(&start));
}
