export function fileLayers(parsed: { title: string; text: string; outline: string }, name: string, _bytes?: number) {
  return { abstract: (parsed.text || name).slice(0, 200), overview: `${parsed.title}\n\n${parsed.outline}` };
}
