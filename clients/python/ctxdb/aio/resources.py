"""Imports of files, folders, archives, web pages and repositories."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ctxdb._gen.messages.resource_pb2 import (
    AddResourceRequest,
    AddResourceResponse,
    DeleteRefreshScheduleRequest,
    DeleteRefreshScheduleResponse,
    ListRefreshSchedulesRequest,
    ListRefreshSchedulesResponse,
    RefreshResourceRequest,
    RefreshSchedule,
    RunRefreshScheduleRequest,
    ScheduleRefreshRequest,
    UploadFileRequest,
    UploadFileResponse,
    UploadHeader,
)
from ctxdb._sources import Source, open_source
from ctxdb.aio._calls import Calls


class Resources:
    """Everything below ``ctx://resources``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def add(
        self,
        path: str | None = None,
        *,
        temp_path: str | None = None,
        temp_file_id: str | None = None,
        target: str | None = None,
        to: str | None = None,
        parent: str | None = None,
        source_name: str | None = None,
        reason: str = "",
        instruction: str = "",
        wait: bool = False,
        timeout: float | None = None,
        build_index: bool | None = None,
        summarize: bool = False,
        strict: bool | None = None,
        ignore_dirs: str = "",
        include: str = "",
        exclude: str = "",
        tags: Sequence[str] = (),
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> AddResourceResponse:
        """Imports a source that the server can reach (``path``: a path on its disk, a URL or a repository),
        or an upload (``temp_path``).

        ``to`` is the exact root, ``parent`` the folder that receives the derived name, ``target`` either, by its last slash. With ``wait``
        layers and vectors are made when the call returns; without, large imports go on as the task ``task_id``.
        """
        request = AddResourceRequest(
            path=path,
            temp_path=temp_path,
            temp_file_id=temp_file_id,
            target=target,
            to=to,
            parent=parent,
            source_name=source_name,
            reason=reason,
            instruction=instruction,
            wait=wait,
            timeout=timeout,
            build_index=build_index,
            summarize=summarize,
            strict=strict,
            ignore_dirs=ignore_dirs,
            include=include,
            exclude=exclude,
            tags=tags,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("ResourceService/AddResource", request, AddResourceResponse, deadline)

    async def add_path(self, path: str | os.PathLike[str], **fields: Any) -> AddResourceResponse:
        """Uploads a local file or folder and imports it; all other fields are those of :meth:`add`.

        A folder is sent as a zip, which is created during the upload. Hidden files, symbolic links,
        dependency folders and files named in a ``.gitignore`` are not sent.
        """
        upload = await self.upload(path)
        return await self.add(temp_path=upload.temp_path, **fields)

    async def upload(
        self, source: Source, *, name: str | None = None, content_type: str | None = None, deadline: float | None = None
    ) -> UploadFileResponse:
        """Stores a local file, a folder (as a zip), bytes or an open binary file for one hour. Pass its
        ``temp_path`` to ``add``, ``skills.add`` or ``packs.import_``. Bytes and open files need a
        ``name``.
        """
        name, pieces = open_source(source, name)
        header = UploadFileRequest(header=UploadHeader(name=name, content_type=content_type))
        chunks: Iterator[UploadFileRequest] = (UploadFileRequest(chunk=piece) for piece in pieces)
        return await self._calls.send("ResourceService/UploadFile", chain([header], chunks), UploadFileResponse, deadline)

    async def refresh(
        self, uri: str, *, wait: bool = False, timeout: float | None = None, deadline: float | None = None
    ) -> AddResourceResponse:
        """Imports a resource again from its source. Unchanged files cost nothing."""
        request = RefreshResourceRequest(uri=uri, wait=wait, timeout=timeout)
        return await self._calls.write("ResourceService/RefreshResource", request, AddResourceResponse, deadline)

    async def schedule(
        self,
        uri: str,
        *,
        interval_seconds: int | None = None,
        paused: bool | None = None,
        deadline: float | None = None,
    ) -> RefreshSchedule:
        """Sets, changes, pauses or resumes the schedule by which a resource is imported again."""
        request = ScheduleRefreshRequest(uri=uri, interval_seconds=interval_seconds, paused=paused)
        return await self._calls.write("ResourceService/ScheduleRefresh", request, RefreshSchedule, deadline)

    async def schedules(self, uri: str | None = None, *, deadline: float | None = None) -> ListRefreshSchedulesResponse:
        """Returns the schedules of resources that the caller may see, sorted by URI."""
        request = ListRefreshSchedulesRequest(uri=uri)
        return await self._calls.read("ResourceService/ListRefreshSchedules", request, ListRefreshSchedulesResponse, deadline)

    async def run_schedule(self, uri: str, *, deadline: float | None = None) -> RefreshSchedule:
        """Makes a scheduled refresh due now. Returns before it has run."""
        request = RunRefreshScheduleRequest(uri=uri)
        return await self._calls.write("ResourceService/RunRefreshSchedule", request, RefreshSchedule, deadline)

    async def delete_schedule(self, uri: str, *, deadline: float | None = None) -> DeleteRefreshScheduleResponse:
        """Deletes the schedule of a resource, but not the resource."""
        request = DeleteRefreshScheduleRequest(uri=uri)
        return await self._calls.write("ResourceService/DeleteRefreshSchedule", request, DeleteRefreshScheduleResponse, deadline)
