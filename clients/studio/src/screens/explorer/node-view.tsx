import { useState } from "react";
import { useStatNode } from "../../api/filesystem.ts";
import { nameOf, visible } from "../../text/uri.ts";
import { Failure, Loading } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Access } from "./access/access.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { Chunks } from "./chunks.tsx";
import { Details } from "./details.tsx";
import { FileContent } from "./file-content.tsx";
import { FolderContent } from "./folder-content.tsx";
import { Layer } from "./layer.tsx";
import { NodeActions } from "./node-actions.tsx";
import { NodeHead } from "./node-head.tsx";
import { Relations } from "./relations.tsx";
import { Versions } from "./versions/versions.tsx";

interface NodeViewProps {
  readonly uri: string;
  readonly view: string | undefined;
  readonly onView: (view: string) => void;
  readonly onSelect: (uri: string) => void;
}

/** A node: its three layers, its metadata and its relations. */
export function NodeView({ uri, view, onView, onSelect }: NodeViewProps) {
  const { data: node, error, refetch } = useStatNode(uri);
  const [isEditing, setEditing] = useState(false);
  if (error !== null && !isEditing) {
    return (
      <div className="flex flex-col gap-4 p-4">
        <Breadcrumbs uri={uri} onSelect={onSelect} />
        <h1 className="text-lg font-semibold break-words">{visible(nameOf(uri))}</h1>
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (node === undefined) {
    return (
      <div className="p-4">
        <Loading lines={6} />
      </div>
    );
  }
  const tabs = [
    {
      id: "content",
      title: node.isDir ? "Contents" : "Text (L2)",
      content: node.isDir ? (
        <FolderContent uri={node.uri} onSelect={onSelect} />
      ) : (
        <FileContent node={node} onEditing={setEditing} />
      ),
    },
    { id: "overview", title: "Overview (L1)", content: <Layer uri={node.uri} /> },
    { id: "chunks", title: "Chunks", content: <Chunks uri={node.uri} /> },
    { id: "relations", title: "Relations", content: <Relations uri={node.uri} onSelect={onSelect} /> },
    ...(node.isDir ? [] : [{ id: "versions", title: "Versions", content: <Versions node={node} /> }]),
    { id: "access", title: "Access", content: <Access node={node} onSelect={onSelect} /> },
    { id: "details", title: "Details", content: <Details node={node} onSelect={onSelect} /> },
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div className="flex flex-col gap-1 px-4 pt-3 pb-2">
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          <Breadcrumbs uri={node.uri} onSelect={onSelect} />
          <NodeActions node={node} onSelect={onSelect} onView={onView} />
        </div>
        <NodeHead node={node} />
      </div>
      <Tabs
        label="Parts of the node"
        tabs={tabs}
        value={tabs.some(({ id }) => id === view) ? (view ?? "") : "content"}
        onChange={onView}
      />
    </div>
  );
}
