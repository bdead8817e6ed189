export function directoryLayers(name: string, children: { name: string; isDirectory: boolean; abstract: string }[], count: number) {
  return { abstract: `${name}: ${children.map((c) => c.abstract).join(" ").slice(0, 200)}`, overview: `${name} (${count})\n${children.map((c) => `- ${c.name}: ${c.abstract}`).join("\n")}` };
}
