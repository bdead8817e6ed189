package dev.ctxdb.client;

import dev.ctxdb.v1.AddSkillRequest;
import dev.ctxdb.v1.AddSkillResponse;
import dev.ctxdb.v1.DeleteSkillRequest;
import dev.ctxdb.v1.DeleteSkillResponse;
import dev.ctxdb.v1.GetSkillRequest;
import dev.ctxdb.v1.GetSkillResponse;
import dev.ctxdb.v1.ListSkillsRequest;
import dev.ctxdb.v1.ListSkillsResponse;
import dev.ctxdb.v1.SkillServiceGrpc;
import java.nio.file.Path;

/** Skills of agents: documents with a name, a description and files. */
public final class Skills {
  private final Caller caller;

  Skills(Caller caller) {
    this.caller = caller;
  }

  /** Stores a skill. Replaces a skill of the same name completely. */
  public AddSkillResponse add(AddSkillRequest request) {
    return caller.write(SkillServiceGrpc.getAddSkillMethod(), request);
  }

  /** Returns all skills, sorted by name. */
  public ListSkillsResponse list() {
    return caller.read(SkillServiceGrpc.getListSkillsMethod(), ListSkillsRequest.getDefaultInstance());
  }

  /** Returns a skill with its document. */
  public GetSkillResponse get(GetSkillRequest request) {
    return caller.read(SkillServiceGrpc.getGetSkillMethod(), request);
  }

  /** Returns a skill with its document. */
  public GetSkillResponse get(String name) {
    return get(GetSkillRequest.newBuilder().setName(name).build());
  }

  /** Deletes a skill with its files. */
  public DeleteSkillResponse delete(DeleteSkillRequest request) {
    return caller.write(SkillServiceGrpc.getDeleteSkillMethod(), request);
  }

  /** Deletes a skill with its files. */
  public DeleteSkillResponse delete(String name) {
    return delete(DeleteSkillRequest.newBuilder().setName(name).build());
  }

  /** Uploads a skill file, or a folder with a `SKILL.md`, and stores it. */
  public AddSkillResponse addPath(Path path, AddSkillRequest request) {
    String upload = Upload.send(caller, path, UploadOptions.NONE).getTempPath();
    return add(request.toBuilder().setTempPath(upload).build());
  }
}
