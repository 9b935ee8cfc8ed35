/** Paths of what has a name. */

export function at(folder: string, name: string): string {
  return `/${folder}/${encodeURIComponent(name)}`;
}

export function scheduleAt(id: string): string {
  return `/schedules/${id.split("/").map(encodeURIComponent).join("/")}`;
}
