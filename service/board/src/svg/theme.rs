//! The colours, as a style sheet inside the picture. They keep apart for people
//! who see fewer of them: blue against orange, with other lightness.

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the reader's system has it.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// The word for it in addresses and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.word() == word)
    }

    /// The class of the root; every rule asks for it, so that pictures of
    /// different themes can stand in one page.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Auto => "matchbook-auto",
            Self::Light => "matchbook-light",
            Self::Dark => "matchbook-dark",
        }
    }

    /// The style sheet.
    pub(super) fn sheet(self) -> String {
        let class = self.class();
        let mut out = String::from("\n");
        for (selector, rule) in FIXED {
            out.push_str(&format!(".{class}{selector}{{{rule}}}\n"));
        }
        match self {
            Self::Auto => {
                out.push_str(&rules(class, |colour| colour.light));
                out.push_str("@media (prefers-color-scheme:dark){\n");
                out.push_str(&rules(class, |colour| colour.dark));
                out.push_str("}\n");
            }
            Self::Light => out.push_str(&rules(class, |colour| colour.light)),
            Self::Dark => out.push_str(&rules(class, |colour| colour.dark)),
        }
        out
    }
}

/// What a class is painted with.
struct Colour {
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
}

fn rules(root: &str, shade: impl Fn(&Colour) -> &'static str) -> String {
    let rule =
        |colour: &Colour| format!(".{root} .{}{{{}:{}}}\n", colour.class, colour.property, shade(colour));
    COLOURS.iter().map(rule).collect()
}

const fn fill(class: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { class, property: "fill", light, dark }
}

const fn stroke(class: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { class, property: "stroke", light, dark }
}

/// What is the same in all themes.
const FIXED: [(&str, &str); 3] = [
    ("", "font-family:system-ui,Segoe UI,Helvetica Neue,Arial,DejaVu Sans,sans-serif"),
    (" .b", "font-weight:bold"),
    (" .i", "font-style:italic"),
];

const COLOURS: &[Colour] = &[
    fill("paper", "#fbfaf6", "#17181b"),
    fill("ink", "#1c1c1e", "#eeeef0"),
    fill("faint", "#5a5a61", "#a9a9b2"),
    stroke("ink-line", "#1c1c1e", "#eeeef0"),
    stroke("line", "#aaa69b", "#5a5b63"),
    stroke("paper-line", "#fbfaf6", "#17181b"),
    fill("bright", "#ffffff", "#35373d"),
    fill("dim", "#dcd8cd", "#232428"),
    // Seat 0.
    fill("zero", "#0a5ea8", "#70b9f3"),
    fill("zero-soft", "#d9e8f6", "#1c344a"),
    fill("on-zero", "#ffffff", "#0e1013"),
    stroke("on-zero-line", "#ffffff", "#0e1013"),
    stroke("zero-line", "#0a5ea8", "#70b9f3"),
    // Seat 1.
    fill("one", "#b84700", "#ff9c55"),
    fill("one-soft", "#fbe4d3", "#47290f"),
    fill("on-one", "#ffffff", "#0e1013"),
    stroke("one-line", "#b84700", "#ff9c55"),
    // Neither seat's.
    fill("none-soft", "#ebe8df", "#2a2b30"),
    stroke("none-line", "#84817a", "#84858d"),
    // What the last move touched.
    fill("mark", "#ffdf70", "#6b5a08"),
    fill("mark-ink", "#7a5c00", "#f5d24a"),
    stroke("mark-line", "#7a5c00", "#f5d24a"),
    // A warning: broken, bound, forbidden.
    fill("alarm", "#a8002d", "#ff7d96"),
    stroke("alarm-line", "#a8002d", "#ff7d96"),
    // White and Black of Ludus Magus, and their Elements; letters stand on them.
    fill("white", "#ffffff", "#f4f4f0"),
    fill("on-white", "#101012", "#101012"),
    fill("black", "#26272b", "#08090a"),
    fill("on-black", "#ffffff", "#ffffff"),
    stroke("on-white-line", "#101012", "#101012"),
    stroke("on-black-line", "#ffffff", "#ffffff"),
    fill("aer-w", "#ead94a", "#ead94a"),
    fill("aqua-w", "#8cc6f5", "#8cc6f5"),
    fill("ignis-w", "#ffa978", "#ffa978"),
    fill("terra-w", "#86d6b3", "#86d6b3"),
    fill("aether-w", "#e3b4f0", "#e3b4f0"),
    fill("art-w", "#d6d3c9", "#d6d3c9"),
    fill("aer-b", "#7a6a00", "#7a6a00"),
    fill("aqua-b", "#0b5ca3", "#0b5ca3"),
    fill("ignis-b", "#b04300", "#b04300"),
    fill("terra-b", "#00704f", "#00704f"),
    fill("aether-b", "#7d3a91", "#7d3a91"),
    fill("magus-w", "#ffbf2e", "#ffbf2e"),
    fill("magus-b", "#8a5f00", "#8a5f00"),
    fill("art-b", "#5c5d66", "#5c5d66"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_names_its_theme() {
        for theme in Theme::ALL {
            assert_eq!(Theme::of_word(theme.word()), Some(theme));
        }
        assert_eq!(Theme::of_word("Dark"), None);
    }

    #[test]
    fn a_fixed_theme_does_not_ask_the_system() {
        assert!(Theme::Auto.sheet().contains("prefers-color-scheme:dark"));
        for theme in [Theme::Light, Theme::Dark] {
            assert!(!theme.sheet().contains("@media"), "{theme:?}");
        }
        assert!(Theme::Dark.sheet().contains(".matchbook-dark .paper{fill:#17181b}"));
    }

    /// The lightness that WCAG 2 compares, in millionths.
    fn luminance(hex: &str) -> u64 {
        let part = |from: usize| u64::from_str_radix(&hex[from..from + 2], 16).expect("two hex digits");
        // The square of the part stands close enough to its 2.2th power.
        let linear = |part: u64| part * part * 1_000_000 / (255 * 255);
        (2126 * linear(part(1)) + 7152 * linear(part(3)) + 722 * linear(part(5))) / 10_000
    }

    fn contrast(one: &str, other: &str) -> u64 {
        let (one, other) = (luminance(one) + 50_000, luminance(other) + 50_000);
        one.max(other) * 100 / one.min(other)
    }

    #[test]
    fn what_is_written_can_be_read() {
        let find = |class: &str| COLOURS.iter().find(|colour| colour.class == class).expect("a class");
        let pairs = [
            ("ink", "paper"),
            ("faint", "paper"),
            ("ink", "zero-soft"),
            ("ink", "one-soft"),
            ("ink", "mark"),
            ("on-zero", "zero"),
            ("on-one", "one"),
            ("ink", "bright"),
            ("ink", "dim"),
            ("faint", "bright"),
            ("alarm", "bright"),
            ("on-white", "aqua-w"),
            ("on-white", "ignis-w"),
            ("on-white", "art-w"),
            ("on-black", "aer-b"),
            ("on-black", "aqua-b"),
            ("on-black", "ignis-b"),
            ("on-black", "terra-b"),
            ("on-black", "aether-b"),
            ("on-black", "art-b"),
            ("faint", "none-soft"),
            ("ink", "none-soft"),
        ];
        for (text, ground) in pairs {
            let (text, ground) = (find(text), find(ground));
            for (text, ground) in [(text.light, ground.light), (text.dark, ground.dark)] {
                assert!(contrast(text, ground) >= 450, "{text} on {ground}: {}", contrast(text, ground));
            }
        }
    }
}
