"""Lists of several pages."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol, TypeVar


class PageRequest(Protocol):
    """A request for a page."""

    page_token: str


class Page(Protocol):
    """A page of a list."""

    @property
    def next_page_token(self) -> str:
        """The token of the next page; empty if this is the last one."""
        ...


Q = TypeVar("Q", bound=PageRequest)
P = TypeVar("P", bound=Page)


async def pages(call: Callable[[Q], Awaitable[P]], request: Q) -> AsyncIterator[P]:
    """Returns one page after the other, from that of the request on."""
    while True:
        page = await call(request)
        yield page
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return
