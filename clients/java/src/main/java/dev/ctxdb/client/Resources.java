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

  /**
   * Imports the source named by `path` on the server's side (a path or URL), or an upload
   * (`temp_path`).
   */
  public AddResourceResponse add(AddResourceRequest request) {
    return caller.write(ResourceServiceGrpc.getAddResourceMethod(), request);
  }

  /** Imports a resource again from its source. */
  public AddResourceResponse refresh(RefreshResourceRequest request) {
    return caller.write(ResourceServiceGrpc.getRefreshResourceMethod(), request);
  }

  /** Imports a resource again from its source. */
  public AddResourceResponse refresh(String uri) {
    return refresh(RefreshResourceRequest.newBuilder().setUri(uri).build());
  }

  /** Sets, changes, pauses or resumes the schedule by which a resource is imported again. */
  public RefreshSchedule schedule(ScheduleRefreshRequest request) {
    return caller.write(ResourceServiceGrpc.getScheduleRefreshMethod(), request);
  }

  /** Returns the schedules of resources that the caller may see, sorted by URI. */
  public ListRefreshSchedulesResponse schedules(ListRefreshSchedulesRequest request) {
    return caller.read(ResourceServiceGrpc.getListRefreshSchedulesMethod(), request);
  }

  /** Makes a scheduled refresh due now. Returns before it has run. */
  public RefreshSchedule runSchedule(RunRefreshScheduleRequest request) {
    return caller.write(ResourceServiceGrpc.getRunRefreshScheduleMethod(), request);
  }

  /** Deletes the schedule of a resource, but not the resource. */
  public DeleteRefreshScheduleResponse deleteSchedule(DeleteRefreshScheduleRequest request) {
    return caller.write(ResourceServiceGrpc.getDeleteRefreshScheduleMethod(), request);
  }

  /**
   * Stores a local file, or a folder as a zip, for one hour. Pass the response's `temp_path` to
   * `add`, `skills().add` and `packs().importPack`. For a folder, hidden files, symbolic links,
   * files named in `.gitignore` files, and folders such as `node_modules` are left out.
   */
  public UploadFileResponse upload(Path path) {
    return upload(path, UploadOptions.NONE);
  }

  /**
   * Stores a local file or folder, with another name or media type, or with a progress callback.
   */
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
