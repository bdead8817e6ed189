# Made from ctxdb/aio/skills.py by tools/blocking.py: change that and run generate.sh.
"""Skills of agents, shared by the account."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ctxdb._gen.messages.skill_pb2 import (
    AddSkillRequest,
    AddSkillResponse,
    DeleteSkillRequest,
    DeleteSkillResponse,
    GetSkillRequest,
    GetSkillResponse,
    ListSkillsRequest,
    ListSkillsResponse,
)
from ctxdb._values import to_value
from ctxdb._calls import Calls
from ctxdb._gen.blocking.resources import Resources


class Skills:
    """Everything below ``ctx://agent/skills``."""

    def __init__(self, calls: Calls, resources: Resources) -> None:
        self._calls = calls
        self._resources = resources

    def add(
        self,
        data: str | Mapping[str, Any] | None = None,
        *,
        temp_path: str | None = None,
        temp_file_id: str | None = None,
        wait: bool = False,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> AddSkillResponse:
        """Stores a skill: ``{name, description, content, …}``, a tool definition, a document with front matter, or an upload."""
        request = AddSkillRequest(
            data=to_value(data),
            temp_path=temp_path,
            temp_file_id=temp_file_id,
            wait=wait,
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return self._calls.write("SkillService/AddSkill", request, AddSkillResponse, deadline)

    def add_path(self, path: str | os.PathLike[str], **fields: Any) -> AddSkillResponse:
        """Uploads a local skill file, or a folder with one, and stores it; all other fields are those of :meth:`add`."""
        upload = self._resources.upload(path)
        return self.add(temp_path=upload.temp_path, **fields)

    def list(self, *, deadline: float | None = None) -> ListSkillsResponse:
        """Returns all skills, sorted by name."""
        return self._calls.read("SkillService/ListSkills", ListSkillsRequest(), ListSkillsResponse, deadline)

    def get(self, name: str, *, deadline: float | None = None) -> GetSkillResponse:
        """Returns a skill with its document."""
        return self._calls.read("SkillService/GetSkill", GetSkillRequest(name=name), GetSkillResponse, deadline)

    def delete(self, name: str, *, deadline: float | None = None) -> DeleteSkillResponse:
        """Deletes a skill with its files."""
        return self._calls.write("SkillService/DeleteSkill", DeleteSkillRequest(name=name), DeleteSkillResponse, deadline)
