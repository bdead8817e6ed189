use crate::error::Error;
use futures_util::stream::{iter, try_unfold, BoxStream, StreamExt, TryStreamExt};
use std::future::Future;

/// The items of all pages: `ask` fetches the page at a cursor and returns its items and the next cursor, if
/// any.
pub(crate) fn all_of<T, R>(cursor: Option<String>, ask: impl Fn(Option<String>) -> R + Send + 'static) -> BoxStream<'static, Result<T, Error>>
where
    T: Send + 'static,
    R: Future<Output = Result<(Vec<T>, Option<String>), Error>> + Send + 'static,
{
    let pages = try_unfold(Some(cursor), move |place| {
        let page = place.map(&ask);
        async move {
            let Some(page) = page else { return Ok(None) };
            let (items, next) = page.await?;
            Ok::<_, Error>(Some((iter(items).map(Ok), next.map(Some))))
        }
    });
    pages.try_flatten().boxed()
}

#[cfg(test)]
mod tests {
    use super::all_of;
    use futures_util::TryStreamExt;

    #[tokio::test]
    async fn a_list_goes_through_all_pages_from_its_cursor() {
        let all = all_of(Some("1".to_owned()), |cursor| async move {
            let at: u32 = cursor.unwrap().parse().unwrap();
            Ok((vec![at * 10, at * 10 + 1], (at < 3).then(|| (at + 1).to_string())))
        });
        assert_eq!(all.try_collect::<Vec<_>>().await.unwrap(), [10, 11, 20, 21, 30, 31]);
    }
}
