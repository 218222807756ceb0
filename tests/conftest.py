"""What tests of several folders share."""

pytest_plugins = ["tests.live.fixtures"]
