package dev.ctxdb.client;

import dev.ctxdb.v1.ExportPackRequest;
import dev.ctxdb.v1.ImportPackRequest;
import dev.ctxdb.v1.ImportPackResponse;
import dev.ctxdb.v1.PackServiceGrpc;
import java.nio.file.Path;

/** Packs: archives of files and folders with their layers. */
public final class Packs {
  private final Caller caller;

  Packs(Caller caller) {
    this.caller = caller;
  }

  /** Imports an uploaded pack, which is verified completely before anything is written. */
  public ImportPackResponse importPack(ImportPackRequest request) {
    return caller.write(PackServiceGrpc.getImportPackMethod(), request);
  }

  /** Exports a file or folder as a pack. */
  public Download exportPack(ExportPackRequest request) {
    return new Download(caller.stream(PackServiceGrpc.getExportPackMethod(), request));
  }

  /** Exports a file or folder as a pack. */
  public Download exportPack(String uri) {
    return exportPack(ExportPackRequest.newBuilder().setUri(uri).build());
  }

  /** Uploads a pack and imports it. */
  public ImportPackResponse importPath(Path path, ImportPackRequest request) {
    String upload = Upload.send(caller, path, UploadOptions.NONE).getTempPath();
    return importPack(request.toBuilder().setTempPath(upload).build());
  }
}
