package dev.ctxdb.client;

import dev.ctxdb.v1.ExportPackRequest;
import dev.ctxdb.v1.ImportPackRequest;
import dev.ctxdb.v1.ImportPackResponse;
import dev.ctxdb.v1.PackServiceGrpc;
import java.nio.file.Path;

/** Packs: files and folders with their layers in one archive. */
public final class Packs {
  private final Caller caller;

  Packs(Caller caller) {
    this.caller = caller;
  }

  /** Unpacks an upload, verified whole before anything is written. */
  public ImportPackResponse importPack(ImportPackRequest request) {
    return caller.write(PackServiceGrpc.getImportPackMethod(), request);
  }

  /** A file or folder as a pack. */
  public Download exportPack(ExportPackRequest request) {
    return new Download(caller.stream(PackServiceGrpc.getExportPackMethod(), request));
  }

  /** A file or folder as a pack. */
  public Download exportPack(String uri) {
    return exportPack(ExportPackRequest.newBuilder().setUri(uri).build());
  }

  /** Uploads a pack and imports it. */
  public ImportPackResponse importPath(Path path, ImportPackRequest request) {
    String upload = Upload.send(caller, path, UploadOptions.NONE).getTempPath();
    return importPack(request.toBuilder().setTempPath(upload).build());
  }
}
