"""Calls about webhooks."""

from collections.abc import AsyncIterator, Sequence

from .. import v1
from .calls import AsyncCalls
from .paging import pages


class AsyncWebhooks:
    """The calls about webhooks: receivers of the events of an API key's matches. All require that key."""

    calls: AsyncCalls

    async def create_webhook(
        self, url: str, kinds: Sequence[str] = (), *, request_id: str | None = None
    ) -> v1.CreateWebhookResponse:
        """Creates a webhook and returns it with its secret. Without `kinds`, events of all kinds are sent."""
        request = v1.CreateWebhookRequest(url=url, kinds=kinds, request_id=request_id)
        return await self.calls.create_webhook(request)

    async def webhooks(self, *, all_owners: bool = False) -> AsyncIterator[v1.Webhook]:
        """Lists the caller's webhooks, or for an admin those of all keys."""
        request = v1.ListWebhooksRequest(all_owners=all_owners)
        async for page in pages(self.calls.list_webhooks, request):
            for webhook in page.webhooks:
                yield webhook

    async def get_webhook(self, webhook_id: str) -> v1.Webhook:
        """Returns a webhook, with the numbers of its undelivered events."""
        request = v1.GetWebhookRequest(webhook_id=webhook_id)
        return (await self.calls.get_webhook(request)).webhook

    async def update_webhook(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        kinds: Sequence[str] | None = None,
        enabled: bool | None = None,
    ) -> v1.Webhook:
        """Changes a webhook's URL or kinds, disables or enables it."""
        request = v1.UpdateWebhookRequest(
            webhook_id=webhook_id,
            url=url,
            kinds=None if kinds is None else v1.WebhookKinds(kinds=kinds),
            enabled=enabled,
        )
        return (await self.calls.update_webhook(request)).webhook

    async def delete_webhook(self, webhook_id: str) -> None:
        """Deletes a webhook with its dead letters. It is not repeated: a repetition would be refused."""
        await self.calls.delete_webhook(v1.DeleteWebhookRequest(webhook_id=webhook_id))

    async def rotate_webhook_secret(
        self, webhook_id: str, current_generation: int
    ) -> v1.RotateWebhookSecretResponse:
        """Replaces a webhook's secret; the old one signs beside it for a day."""
        request = v1.RotateWebhookSecretRequest(
            webhook_id=webhook_id, current_generation=current_generation
        )
        return await self.calls.rotate_webhook_secret(request)

    async def ping_webhook(self, webhook_id: str) -> v1.PingWebhookResponse:
        """Sends a `ping` at once and returns what came of it. It is not repeated."""
        request = v1.PingWebhookRequest(webhook_id=webhook_id)
        return await self.calls.ping_webhook(request)

    async def dead_letters(self, webhook_id: str) -> AsyncIterator[v1.DeadLetter]:
        """Lists a webhook's dead letters: events that were given up."""
        request = v1.ListDeadLettersRequest(webhook_id=webhook_id)
        async for page in pages(self.calls.list_dead_letters, request):
            for letter in page.dead_letters:
                yield letter

    async def retry_dead_letters(self, webhook_id: str, delivery_ids: Sequence[str] = ()) -> int:
        """Sends dead letters again, by default all, and returns their number."""
        request = v1.RetryDeadLettersRequest(webhook_id=webhook_id, delivery_ids=delivery_ids)
        return (await self.calls.retry_dead_letters(request)).retried_count
