//! Pages of lists that are in memory.

/// One page of a list.
pub(crate) struct Page<'a, T> {
    /// 0-based index of the first item.
    pub(crate) from: u32,
    pub(crate) items: &'a [T],
    /// Index of the next page's first item; `None` on the last page.
    pub(crate) next: Option<u32>,
}

impl<'a, T> Page<'a, T> {
    /// Returns the page of at most `size` items that begins at an index.
    pub(crate) fn of(list: &'a [T], from: u32, size: u32) -> Self {
        let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX).min(list.len());
        let end = from.saturating_add(size);
        Self {
            from,
            items: &list[index(from)..index(end)],
            next: Some(end).filter(|&end| index(end) < list.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_with_the_list() {
        for (from, size, items, next) in [
            (0, 2, &[7, 8][..], Some(2)),
            (2, 2, &[9], None),
            (1, 2, &[8, 9], None),
            (0, 3, &[7, 8, 9], None),
            (3, 1, &[], None),
            (u32::MAX, u32::MAX, &[], None),
        ] {
            let page = Page::of(&[7, 8, 9], from, size);
            assert_eq!((page.items, page.next), (items, next), "{from} {size}");
        }
    }
}
