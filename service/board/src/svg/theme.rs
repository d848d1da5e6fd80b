//! Themes: the colours of drawings, as a style sheet in the document. Seats are distinguishable for
//! colour-blind people: blue and orange, of different lightness. A theme is added in this file alone;
//! everything else derives from [`Theme::ALL`].

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The colours of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Light or dark, as the reader's system prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Selects a theme's colour of a swatch.
type Shade = fn(&Swatch) -> &'static str;

impl Theme {
    /// All themes, the default first.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// Returns the theme's name in URLs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Returns the theme's colours, and those it uses instead on systems that prefer dark colours.
    fn shades(self) -> (Shade, Option<Shade>) {
        let (light, dark): (Shade, Shade) = (|swatch| swatch.light, |swatch| swatch.dark);
        match self {
            Self::Auto => (light, Some(dark)),
            Self::Light => (light, None),
            Self::Dark => (dark, None),
        }
    }

    /// Returns the class of the root element. Every rule selects by it, so that drawings with different
    /// themes can be in one page.
    pub(super) fn class(self) -> String {
        format!("matchbook-{}", self.name())
    }

    /// Returns the style sheet.
    pub(super) fn style_sheet(self) -> String {
        let class = self.class();
        let mut out = String::from("\n");
        for (selector, rule) in SHARED_RULES {
            out.push_str(&format!(".{class}{selector}{{{rule}}}\n"));
        }
        let (shade, on_dark_systems) = self.shades();
        out.push_str(&rules(&class, shade));
        if let Some(shade) = on_dark_systems {
            out.push_str("@media (prefers-color-scheme:dark){\n");
            out.push_str(&rules(&class, shade));
            out.push_str("}\n");
        }
        out
    }
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(name: &str) -> Result<Self, UnknownTheme> {
        Self::ALL.into_iter().find(|theme| theme.name() == name).ok_or(UnknownTheme)
    }
}

/// The error for a name that no theme has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownTheme;

impl fmt::Display for UnknownTheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be one of {}", Theme::ALL.map(Theme::name).join(", "))
    }
}

impl Error for UnknownTheme {}

/// A class of elements and its colour in each palette.
struct Swatch {
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
}

fn rules(root: &str, shade: Shade) -> String {
    let rule =
        |swatch: &Swatch| format!(".{root} .{}{{{}:{}}}\n", swatch.class, swatch.property, shade(swatch));
    SWATCHES.iter().map(rule).collect()
}

const fn fill(class: &'static str, light: &'static str, dark: &'static str) -> Swatch {
    Swatch { class, property: "fill", light, dark }
}

const fn stroke(class: &'static str, light: &'static str, dark: &'static str) -> Swatch {
    Swatch { class, property: "stroke", light, dark }
}

/// Rules that all themes share.
const SHARED_RULES: [(&str, &str); 3] = [
    ("", "font-family:system-ui,Segoe UI,Helvetica Neue,Arial,DejaVu Sans,sans-serif"),
    (" .b", "font-weight:bold"),
    (" .i", "font-style:italic"),
];

const SWATCHES: &[Swatch] = &[
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
    // Neutral: neither seat's.
    fill("none-soft", "#ebe8df", "#2a2b30"),
    stroke("none-line", "#84817a", "#84858d"),
    // What the last move touched.
    fill("mark", "#ffdf70", "#6b5a08"),
    fill("mark-ink", "#7a5c00", "#f5d24a"),
    stroke("mark-line", "#7a5c00", "#f5d24a"),
    // A warning: broken, bound, forbidden.
    fill("alarm", "#a8002d", "#ff7d96"),
    stroke("alarm-line", "#a8002d", "#ff7d96"),
    // White and Black of Ludus Magus, and their Elements, which carry letters.
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
    fn names_round_trip() {
        for theme in Theme::ALL {
            assert_eq!(theme.name().parse(), Ok(theme));
        }
        assert_eq!("Dark".parse::<Theme>(), Err(UnknownTheme));
        assert_eq!(UnknownTheme.to_string(), "must be one of auto, light, dark");
    }

    #[test]
    fn only_the_auto_theme_depends_on_the_system() {
        assert!(Theme::Auto.style_sheet().contains("prefers-color-scheme:dark"));
        for theme in [Theme::Light, Theme::Dark] {
            assert!(!theme.style_sheet().contains("@media"), "{theme:?}");
        }
        assert!(Theme::Dark.style_sheet().contains(".matchbook-dark .paper{fill:#17181b}"));
    }

    /// Returns the relative luminance as defined by WCAG 2, in millionths.
    fn luminance(hex: &str) -> u64 {
        let part = |from: usize| u64::from_str_radix(&hex[from..from + 2], 16).expect("two hex digits");
        // The square is close enough to the power of 2.2.
        let linear = |part: u64| part * part * 1_000_000 / (255 * 255);
        (2126 * linear(part(1)) + 7152 * linear(part(3)) + 722 * linear(part(5))) / 10_000
    }

    fn contrast(one: &str, other: &str) -> u64 {
        let (one, other) = (luminance(one) + 50_000, luminance(other) + 50_000);
        one.max(other) * 100 / one.min(other)
    }

    #[test]
    fn text_has_enough_contrast() {
        let find = |class: &str| SWATCHES.iter().find(|swatch| swatch.class == class).expect("a class");
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
