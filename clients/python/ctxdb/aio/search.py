"""Searching by meaning, by pattern and by name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
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
from ctxdb.aio._calls import Calls
from ctxdb.aio._pages import each


class Search:
    """What is in the tree that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def find(
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
        """Searches by meaning and words: hits in ``memories``, ``resources`` and ``skills``, ``limit`` (10) over the three lists."""
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
        return await self._calls.read("SearchService/Find", request, FindResponse, deadline)

    async def search(
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
        """Searches with the intent and, where a session is named, with its history; tells the queries it has planned."""
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
        return await self._calls.read("SearchService/Search", request, SearchResponse, deadline)

    async def recall(
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
        """What a model should know before it answers, as ``text`` to paste: profile, memories, resources and skills within a budget.

        With a session the text goes on from turn to turn: the same turn gets the same bytes, a further one adds at the end (``added``).
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
        return await self._calls.read("SearchService/Recall", request, RecallResponse, deadline)

    async def grep(
        self,
        uri: str,
        pattern: str,
        *,
        case_insensitive: bool = False,
        node_limit: int | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> GrepResponse:
        """One page of the lines that match a regular expression (RE2)."""
        request = GrepRequest(uri=uri, pattern=pattern, case_insensitive=case_insensitive, node_limit=node_limit, cursor=cursor)
        return await self._calls.read("SearchService/Grep", request, GrepResponse, deadline)

    def grep_all(
        self, uri: str, pattern: str, *, case_insensitive: bool = False, node_limit: int | None = None, deadline: float | None = None
    ) -> AsyncIterator[GrepMatch]:
        """Every matching line; ``node_limit`` files and ``deadline`` seconds are those of a page."""
        return each(
            lambda cursor: self.grep(
                uri, pattern, case_insensitive=case_insensitive, node_limit=node_limit, cursor=cursor, deadline=deadline
            ),
            lambda page: page.matches,
        )

    async def glob(
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
        """One page of the URIs whose path below ``uri`` matches: ``*``, ``?``, ``[abc]``, ``{a,b}`` within a segment, ``**`` across."""
        request = GlobRequest(pattern=pattern, uri=uri, hide_sections=hide_sections, node_limit=node_limit, cursor=cursor, tags=tags)
        return await self._calls.read("SearchService/Glob", request, GlobResponse, deadline)

    def glob_all(
        self,
        pattern: str,
        *,
        uri: str | None = None,
        hide_sections: bool = False,
        node_limit: int | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> AsyncIterator[str]:
        """Every URI that matches; ``node_limit`` matches and ``deadline`` seconds are those of a page."""
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
