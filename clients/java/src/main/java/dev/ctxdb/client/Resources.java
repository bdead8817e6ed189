package dev.ctxdb.client;

import dev.ctxdb.v1.AddResourceRequest;
import dev.ctxdb.v1.AddResourceResponse;
import dev.ctxdb.v1.DeleteRefreshScheduleRequest;
import dev.ctxdb.v1.DeleteRefreshScheduleResponse;
import dev.ctxdb.v1.ListRefreshSchedulesRequest;
import dev.ctxdb.v1.ListRefreshSchedulesResponse;
import dev.ctxdb.v1.RefreshResourceRequest;
import dev.ctxdb.v1.RefreshSchedule;
import dev.ctxdb.v1.ResourceServiceGrpc;
import dev.ctxdb.v1.RunRefreshScheduleRequest;
import dev.ctxdb.v1.ScheduleRefreshRequest;
import dev.ctxdb.v1.UploadFileResponse;
import java.nio.file.Path;

/** Imports of files, folders, archives, web pages and repositories. */
public final class Resources {
  private final Caller caller;

  Resources(Caller caller) {
    this.caller = caller;
  }

  /** Imports what `path` names on the server's side (a path, a URL), or an upload (`temp_path`). */
  public AddResourceResponse add(AddResourceRequest request) {
    return caller.write(ResourceServiceGrpc.getAddResourceMethod(), request);
  }

  /** Imports a resource again from the source it came from. */
  public AddResourceResponse refresh(RefreshResourceRequest request) {
    return caller.write(ResourceServiceGrpc.getRefreshResourceMethod(), request);
  }

  /** Imports a resource again from the source it came from. */
  public AddResourceResponse refresh(String uri) {
    return refresh(RefreshResourceRequest.newBuilder().setUri(uri).build());
  }

  /** Imports a resource again at an interval, or changes, pauses or resumes its schedule. */
  public RefreshSchedule schedule(ScheduleRefreshRequest request) {
    return caller.write(ResourceServiceGrpc.getScheduleRefreshMethod(), request);
  }

  /** Schedules of the resources that the caller may see, ordered by URI. */
  public ListRefreshSchedulesResponse schedules(ListRefreshSchedulesRequest request) {
    return caller.read(ResourceServiceGrpc.getListRefreshSchedulesMethod(), request);
  }

  /** Makes a scheduled refresh due now; returns before it has run. */
  public RefreshSchedule runSchedule(RunRefreshScheduleRequest request) {
    return caller.write(ResourceServiceGrpc.getRunRefreshScheduleMethod(), request);
  }

  /** Deletes the schedule of a resource, which stays. */
  public DeleteRefreshScheduleResponse deleteSchedule(DeleteRefreshScheduleRequest request) {
    return caller.write(ResourceServiceGrpc.getDeleteRefreshScheduleMethod(), request);
  }

  /**
   * Stores a local file, or a folder as a zip, for one hour; the answer's `temp_path` is for `add`, `skills().add` and `packs().importPack`. Of a
   * folder stay out hidden files, symbolic links, what `.gitignore` files name, and folders such as `node_modules`.
   */
  public UploadFileResponse upload(Path path) {
    return upload(path, UploadOptions.NONE);
  }

  /** Stores a local file or folder, with another name or media type, or with somebody who watches. */
  public UploadFileResponse upload(Path path, UploadOptions options) {
    return Upload.send(caller, path, options);
  }

  /** Uploads a local file or folder and imports it. */
  public AddResourceResponse addPath(Path path, AddResourceRequest request) {
    return add(request.toBuilder().setTempPath(upload(path).getTempPath()).build());
  }

  /** Uploads a local file or folder and imports it under its own name. */
  public AddResourceResponse addPath(Path path) {
    return addPath(path, AddResourceRequest.getDefaultInstance());
  }
}
