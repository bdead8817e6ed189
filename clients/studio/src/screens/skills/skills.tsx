import { getRouteApi, Link } from "@tanstack/react-router";
import { Pencil, Plus, Sparkles, Trash2 } from "lucide-react";
import { useState } from "react";
import { useDeleteSkill, useGetSkill, useListSkills } from "../../api/skills.ts";
import { Markdown } from "../../content/markdown.tsx";
import { plural } from "../../text/format.ts";
import { childOf, visible, visibleText } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Badge, Card, Page } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { SkillDialog } from "./skill-dialog.tsx";

const route = getRouteApi("/skills");

/** The skills of the workspace. */
export function Skills() {
  const { name } = route.useSearch();
  const navigate = route.useNavigate();
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useListSkills();
  const open = (next: string | undefined) => void navigate({ search: { name: next } });
  return (
    <Page
      title="Skills"
      about="Instructions that agents of this workspace find and follow. They are shared by all users."
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus /> Add a skill
        </Button>
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.length === 0 && (
        <Empty icon={Sparkles} title="No skills yet">
          A skill is a Markdown document with a name and a description. Add one, or ask an agent to.
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <div className="grid items-start gap-5 lg:grid-cols-[20rem_1fr]">
          <ul className="flex flex-col gap-2">
            {data.map((skill) => (
              <li key={skill.name}>
                <Link
                  to="/skills"
                  search={{ name: skill.name }}
                  className="block rounded-xl border border-line bg-surface p-3 hover:border-line-strong"
                  activeOptions={{ includeSearch: true }}
                  activeProps={{ className: "!border-accent" }}
                >
                  <span className="font-medium">{visible(skill.name)}</span>
                  <span className="mt-0.5 line-clamp-3 text-[13px] text-soft">
                    {visibleText(skill.description)}
                  </span>
                  <span className="mt-1 flex flex-wrap gap-1">
                    {skill.tags.map((tag) => (
                      <Badge key={tag}>{visible(tag)}</Badge>
                    ))}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {name !== undefined && <Skill key={name} name={name} onDeleted={() => open(undefined)} />}
        </div>
      )}
      {adding && <SkillDialog onClose={() => setAdding(false)} onStored={open} />}
    </Page>
  );
}

function Skill({ name, onDeleted }: { readonly name: string; readonly onDeleted: () => void }) {
  const { data, error, refetch } = useGetSkill(name);
  const remove = useDeleteSkill();
  const [deleting, setDeleting] = useState(false);
  const [editing, setEditing] = useState(false);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={8} />;
  return (
    <Card
      title={visible(data.name)}
      actions={
        <>
          {/* storing a document replaces the skill whole: files beside it would be lost */}
          {data.files.length === 0 && (
            <IconButton label={`Edit ${visible(data.name)}`} onClick={() => setEditing(true)}>
              <Pencil />
            </IconButton>
          )}
          <IconButton label={`Delete ${visible(data.name)}`} onClick={() => setDeleting(true)}>
            <Trash2 />
          </IconButton>
        </>
      }
    >
      {data.allowedTools.length > 0 && (
        <p className="mb-3 flex flex-wrap items-center gap-1.5 text-[13px] text-soft">
          May use:
          {data.allowedTools.map((tool) => (
            <Badge key={tool}>{visible(tool)}</Badge>
          ))}
        </p>
      )}
      <Markdown text={data.content} uri={`${data.uri}/SKILL.md`} />
      {data.files.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 text-sm font-semibold">Files beside it</h3>
          <ul className="text-[13px]">
            {data.files.map((file) => (
              <li key={file}>
                <Link
                  to="/explorer"
                  search={{ uri: childOf(data.uri, file) }}
                  className="text-accent hover:underline"
                >
                  {visible(file)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {editing && (
        <SkillDialog document={data.content} onClose={() => setEditing(false)} onStored={() => undefined} />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete the skill ${visible(data.name)}?`}
          hits={[
            "The skill for all users and agents of this workspace",
            `${plural(data.files.length, "file")} beside it`,
          ]}
          name={data.name}
          action="Delete"
          call={remove}
          onConfirm={() => remove.mutate(data.name, { onSuccess: onDeleted })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Card>
  );
}
