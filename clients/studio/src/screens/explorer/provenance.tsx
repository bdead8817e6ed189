import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useImportRecord } from "../../api/resources.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Failure, Loading } from "../../ui/states.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { type Fact, Facts } from "./facts.tsx";

interface ProvenanceProps {
  readonly node: StatNodeResponse;
  readonly onSelect: (uri: string) => void;
}

/** The import that created a node: its source and options. */
export function Provenance({ node, onSelect }: ProvenanceProps) {
  const { data, error } = useImportRecord(node.isDir ? node.uri : folderOf(node));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">Provenance</h2>
      {data === null ? (
        <p className="text-[13px] text-soft">It was written here, not imported.</p>
      ) : (
        <Facts
          facts={[
            [
              "Imported to",
              <button
                key="folder"
                type="button"
                className="text-left text-accent hover:underline"
                onClick={() => onSelect(data.folder)}
              >
                <UriText uri={data.folder} />
              </button>,
            ],
            ...factsOf(data.content),
          ]}
        />
      )}
    </section>
  );
}

const folderOf = ({ uri, name }: StatNodeResponse): string => uri.slice(0, -name.length - 1);

/** Maximum number of facts shown of a record, and of characters of each. */
const MAX_FACTS = 40;
const MAX_VALUE = 2_000;

/** The non-empty fields of a record, including nested ones. */
function factsOf(record: string): Fact[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(record);
  } catch {
    return [["Record", visibleText(record.slice(0, MAX_VALUE))]];
  }
  const { import: settings, ...rest } = isObject(parsed) ? parsed : { record: parsed };
  return [rest, isObject(settings) ? settings : {}]
    .flatMap((fields) => Object.entries(fields))
    .filter(([, value]) => value !== "" && value !== null && value !== false)
    .slice(0, MAX_FACTS)
    .map(([name, value]) => [termOf(name), textOf(value)]);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Label of a field: "Source id" for source_id. */
function termOf(name: string): string {
  const words = visible(name.replaceAll("_", " "));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (value === true) return "yes";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return visibleText(text.slice(0, MAX_VALUE));
}
