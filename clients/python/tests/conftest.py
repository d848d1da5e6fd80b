"""A real service for the tests: the program that `MATCHBOOK_TEST_SERVICE` names."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from service import Service

from matchbook import Matchbook


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service without API keys."""
    with Service(tmp_path_factory.mktemp("open")) as started:
        yield started


@pytest.fixture(scope="session")
def app_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with API keys."""
    with Service(tmp_path_factory.mktemp("keys"), roles=("app", "audit", "admin")) as started:
        yield started


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[Service]:
    """A service with its database in a file, which a test may stop."""
    with Service(tmp_path, database=f"sqlite://{tmp_path / 'matchbook.db'}") as started:
        yield started


@pytest.fixture
def client(service: Service) -> Iterator[Matchbook]:
    """A client of the service without API keys."""
    with Matchbook(service.address) as connected:
        yield connected
