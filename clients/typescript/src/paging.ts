/** Lists that come in pages. */

/** Yields the pages of a list, asking for the next one when the reader needs it. */
export async function* pages<Q extends object, P extends { nextPageToken: string }>(
  list: (request: Q & { pageToken: string }) => Promise<P>,
  request: Q,
): AsyncGenerator<P, void, undefined> {
  let pageToken = "";
  do {
    const page = await list({ ...request, pageToken });
    yield page;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
