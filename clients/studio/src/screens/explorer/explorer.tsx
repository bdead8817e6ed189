import { getRouteApi } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useWatchChanges } from "../../api/changes.ts";
import { onTreeChange } from "../../api/tree-changes.ts";
import { Button } from "../../ui/button.tsx";
import { DropZone } from "./drop-zone.tsx";
import { NodeView } from "./node-view.tsx";
import { Tree } from "./tree.tsx";
import { TreeFilter } from "./tree-filter.tsx";
import { TreeModel } from "./tree-model.ts";

const route = getRouteApi("/explorer");

/** The tree on the left, a node on the right. */
export function Explorer() {
  const { uri = "ctx://resources", view } = route.useSearch();
  const navigate = route.useNavigate();
  const model = useTreeModel(uri);
  const [filter, setFilter] = useState("");
  const [treeShown, setTreeShown] = useState(false);
  const select = useCallback(
    (next: string) => {
      setTreeShown(false);
      void navigate({ search: { uri: next } });
    },
    [navigate],
  );
  return (
    <DropZone folder={uri}>
      <div className="flex h-full">
        <aside
          aria-label="Tree"
          className={`${treeShown ? "flex" : "hidden"} w-full shrink-0 flex-col border-r border-line bg-surface md:flex md:w-80`}
        >
          <h2 className="sr-only">Tree</h2>
          <TreeFilter text={filter} onChange={setFilter} folder={uri} onSelect={select} />
          {filter.trim() === "" && <Tree model={model} selected={uri} onSelect={select} />}
        </aside>
        <div className={`${treeShown ? "hidden md:flex" : "flex"} min-w-0 flex-1 flex-col`}>
          <div className="border-b border-line bg-surface p-2 md:hidden">
            <Button onClick={() => setTreeShown(true)}>
              <PanelLeft /> Tree
            </Button>
          </div>
          <NodeView
            key={uri}
            uri={uri}
            view={view}
            onView={(next) => void navigate({ search: { uri, view: next }, replace: true })}
            onSelect={select}
          />
        </div>
      </div>
    </DropZone>
  );
}

/** The tree model while the screen is open; reloaded after changes of the namespace. */
function useTreeModel(uri: string): TreeModel {
  const model = useMemo(() => new TreeModel(), []);
  useWatchChanges(model.follow);
  useEffect(() => model.reveal(uri), [model, uri]);
  useEffect(() => {
    model.open("ctx://");
    model.open("ctx://resources");
    return onTreeChange(() => void model.refresh());
  }, [model]);
  return model;
}
