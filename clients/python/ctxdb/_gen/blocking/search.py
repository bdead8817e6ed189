# Made from ctxdb/aio/search.py by tools/blocking.py: change that and run generate.sh.
"""Search by meaning, by regular expression and by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ctxdb._gen.messages.search_pb2 import (
    FindRequest,
    FindResponse,
    GlobRequest,
    GlobResponse,
    GrepMatch,
    GrepRequest,
    GrepResponse,
    RecallRequest,
    RecallResponse,
    SearchRequest,
    SearchResponse,
)
from ctxdb._values import to_struct, to_value
from ctxdb._calls import Calls
from ctxdb._gen.blocking._pages import each


class Search:
    """Searches in everything that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def find(
        self,
        query: str,
        *,
        target_uri: str | Sequence[str] | None = None,
        limit: int | None = None,
        score_threshold: float | None = None,
        filter: Mapping[str, Any] | None = None,
        explain: bool | None = None,
        as_of: str | None = None,
        since: str | None = None,
        until: str | None = None,
        exclude_origins: Sequence[str] = (),
        deadline: float | None = None,
    ) -> FindResponse:
        """Searches by meaning and words. Returns hits in ``memories``, ``resources`` and ``skills``, at most
        ``limit`` (10) in total.
        """
        request = FindRequest(
            query=query,
            target_uri=to_value(target_uri),
            limit=limit,
            score_threshold=score_threshold,
            filter=to_struct(filter),
            explain=explain,
            as_of=as_of,
            since=since,
            until=until,
            exclude_origins=exclude_origins,
        )
        return self._calls.read("SearchService/Find", request, FindResponse, deadline)

    def search(
        self,
        query: str,
        *,
        target_uri: str | Sequence[str] | None = None,
        limit: int | None = None,
        score_threshold: float | None = None,
        filter: Mapping[str, Any] | None = None,
        session_id: str | None = None,
        explain: bool | None = None,
        as_of: str | None = None,
        since: str | None = None,
        until: str | None = None,
        exclude_origins: Sequence[str] = (),
        deadline: float | None = None,
    ) -> SearchResponse:
        """Like find, but first turns the question into several queries, using the history of a session if one
        is named; also returns these queries.
        """
        request = SearchRequest(
            query=query,
            target_uri=to_value(target_uri),
            limit=limit,
            score_threshold=score_threshold,
            filter=to_struct(filter),
            session_id=session_id,
            explain=explain,
            as_of=as_of,
            since=since,
            until=until,
            exclude_origins=exclude_origins,
        )
        return self._calls.read("SearchService/Search", request, SearchResponse, deadline)

    def recall(
        self,
        query: str | None = None,
        *,
        session_id: str | None = None,
        token_budget: int | None = None,
        block_token_budget: int | None = None,
        character_budget: int | None = None,
        target_uri: str | Sequence[str] | None = None,
        project: str | None = None,
        max_memories: int | None = None,
        max_resources: int | None = None,
        max_skills: int | None = None,
        without_profile: bool = False,
        score_threshold: float | None = None,
        since: str | None = None,
        until: str | None = None,
        filter: Mapping[str, Any] | None = None,
        restart: bool = False,
        as_of: str | None = None,
        exclude_origins: Sequence[str] = (),
        deadline: float | None = None,
    ) -> RecallResponse:
        """Returns context for a model as ``text`` to paste into its prompt: profile, memories, resources and
        skills within a token budget.

        With a session, the text grows from turn to turn: the same turn gets the same bytes, a new turn
        appends (``added``).
        """
        request = RecallRequest(
            query=query,
            session_id=session_id,
            token_budget=token_budget,
            block_token_budget=block_token_budget,
            character_budget=character_budget,
            target_uri=to_value(target_uri),
            project=project,
            max_memories=max_memories,
            max_resources=max_resources,
            max_skills=max_skills,
            without_profile=without_profile,
            score_threshold=score_threshold,
            since=since,
            until=until,
            filter=to_struct(filter),
            restart=restart,
            as_of=as_of,
            exclude_origins=exclude_origins,
        )
        return self._calls.read("SearchService/Recall", request, RecallResponse, deadline)

    def grep(
        self,
        uri: str,
        pattern: str,
        *,
        case_insensitive: bool = False,
        node_limit: int | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> GrepResponse:
        """Returns a page of lines that match a regular expression (RE2 syntax)."""
        request = GrepRequest(uri=uri, pattern=pattern, case_insensitive=case_insensitive, node_limit=node_limit, cursor=cursor)
        return self._calls.read("SearchService/Grep", request, GrepResponse, deadline)

    def grep_all(
        self, uri: str, pattern: str, *, case_insensitive: bool = False, node_limit: int | None = None, deadline: float | None = None
    ) -> Iterator[GrepMatch]:
        """Yields all matching lines. ``node_limit`` (in files) and ``deadline`` apply to each page."""
        return each(
            lambda cursor: self.grep(
                uri, pattern, case_insensitive=case_insensitive, node_limit=node_limit, cursor=cursor, deadline=deadline
            ),
            lambda page: page.matches,
        )

    def glob(
        self,
        pattern: str,
        *,
        uri: str | None = None,
        hide_sections: bool = False,
        node_limit: int | None = None,
        cursor: str | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> GlobResponse:
        """Returns a page of URIs whose path below ``uri`` matches: ``*``, ``?``, ``[abc]``, ``{a,b}`` within
        a segment, ``**`` across.
        """
        request = GlobRequest(pattern=pattern, uri=uri, hide_sections=hide_sections, node_limit=node_limit, cursor=cursor, tags=tags)
        return self._calls.read("SearchService/Glob", request, GlobResponse, deadline)

    def glob_all(
        self,
        pattern: str,
        *,
        uri: str | None = None,
        hide_sections: bool = False,
        node_limit: int | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> Iterator[str]:
        """Yields all matching URIs. ``node_limit`` and ``deadline`` apply to each page."""
        return each(
            lambda cursor: self.glob(
                pattern,
                uri=uri,
                hide_sections=hide_sections,
                node_limit=node_limit,
                cursor=cursor,
                tags=tags,
                deadline=deadline,
            ),
            lambda page: page.matches,
        )
