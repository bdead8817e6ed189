import { Link } from "@tanstack/react-router";
import { FlaskConical, FolderPlus, MessagesSquare, Upload } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { chosenFiles, chosenFolder, type Dropped } from "../../uploads/dropped.ts";
import { startUploads } from "../../uploads/uploads.ts";
import { DropZone } from "../explorer/drop-zone.tsx";

const RESOURCES = "ctx://resources";

/** The first steps on an empty server. */
export function Welcome() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const start = (choose: (files: FileList) => Dropped[]) => (event: React.ChangeEvent<HTMLInputElement>) => {
    try {
      if (event.target.files !== null)
        void startUploads(choose(event.target.files), { kind: "resource", parent: RESOURCES });
    } catch (thrown) {
      toastError(thrown);
    }
    event.target.value = "";
  };
  return (
    <>
      <DropZone folder={RESOURCES}>
        <div className="flex flex-col items-center gap-4 rounded-2xl border-2 border-dashed border-line-strong/60 bg-surface px-6 py-14 text-center">
          <Upload className="size-9 text-accent" aria-hidden />
          <div>
            <h2 className="text-lg font-semibold">Drop a folder here</h2>
            <p className="mt-1 max-w-md text-soft">
              Documents, Markdown, PDF, Office files, source code, pictures. They can be found as soon as they
              are uploaded.
            </p>
          </div>
          <div className="flex flex-wrap justify-center gap-2">
            <Button look="primary" onClick={() => folder.current?.click()}>
              <FolderPlus /> Choose a folder
            </Button>
            <Button onClick={() => files.current?.click()}>Choose files</Button>
          </div>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            aria-label="Files to upload"
            onChange={start(chosenFiles)}
          />
          <input
            ref={folder}
            type="file"
            hidden
            aria-label="Folder to upload"
            {...{ webkitdirectory: "" }}
            onChange={start(chosenFolder)}
          />
        </div>
      </DropZone>
      <ol className="grid gap-3 sm:grid-cols-2">
        <Step icon={<FlaskConical />} title="Then ask">
          Open the{" "}
          <Link to="/search" className="text-accent underline">
            Search lab
          </Link>{" "}
          and ask as an agent would. Every hit says why it is there.
        </Step>
        <Step icon={<MessagesSquare />} title="And talk">
          Hold a{" "}
          <Link to="/sessions" className="text-accent underline">
            session
          </Link>{" "}
          and commit it: what is worth keeping becomes memories.
        </Step>
      </ol>
    </>
  );
}

function Step({
  icon,
  title,
  children,
}: {
  readonly icon: React.ReactNode;
  readonly title: string;
  readonly children: React.ReactNode;
}) {
  return (
    <li className="flex gap-3 rounded-xl border border-line bg-surface p-4 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-accent">
      {icon}
      <div>
        <h3 className="font-semibold">{title}</h3>
        <p className="text-soft">{children}</p>
      </div>
    </li>
  );
}
