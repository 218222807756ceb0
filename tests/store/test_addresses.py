"""Addresses of stores that are wrong: a StoreError that repeats no password."""

import pytest

from kg.browser import browser_address
from kg.errors import StoreError
from kg.store.neo4j import split_address


@pytest.mark.parametrize(
    "url",
    [
        *(f"neo4j://me:S3cret{sign}1@host" for sign in ("#", "/", "?", "")),
        "neo4j:me:S3cret@host",
        "https://me:S3cret@host:7473",
        "neo4j://host:99999",
        "bolt://[S3cret",
    ],
)
def test_no_error_repeats_a_password(url: str) -> None:
    with pytest.raises(StoreError) as of_browser:
        browser_address(url)
    assert "S3cret" not in str(of_browser.value)
    if not url.startswith("https"):
        with pytest.raises(StoreError) as of_store:
            split_address(url)
        assert "S3cret" not in str(of_store.value)
