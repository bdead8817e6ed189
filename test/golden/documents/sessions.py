"""
requests.sessions
~~~~~~~~~~~~~~~~~

This module provides a Session object to manage and persist settings across requests (cookies, auth, proxies).
"""
import os


def merge_setting(request_setting, session_setting):
    """Determines appropriate setting for a given request."""
    return request_setting or session_setting


class Session:
    """A Requests session."""

    def get(self, url, **kwargs):
        """Sends a GET request."""
        return self.request("GET", url, **kwargs)
