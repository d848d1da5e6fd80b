//! Rows that queries return.

/// Declares a row: each field is the column of its name. `sqlx` has a derive for this, but with it the driver
/// of every database is compiled a second time, for the macro.
macro_rules! row {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $($(#[$about_field:meta])* $field_vis:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        $vis struct $name {
            $($(#[$about_field])* $field_vis $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}

pub(crate) use row;
