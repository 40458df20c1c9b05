/** The part of an address that names one thing of a workspace, such as `doc_4f2`. */
const ofOneThing = /^[a-z]+_\w/;

/**
 * Returns the page of another workspace that shows what the page of `pathname` shows: the same screen, or the list above it
 * if the screen is about one thing. It is `otherwise` on pages outside of workspaces. Pure.
 */
export function pathInWorkspace(pathname: string, id: string, otherwise: string): string {
  const [, , ...rest] = pathname.split('/').filter((part) => part !== '');
  if (!pathname.startsWith('/w/') || rest.length === 0) return `/w/${id}/${otherwise}`;
  const end = rest.findIndex((part) => ofOneThing.test(part));
  return ['/w', id, ...(end === -1 ? rest : rest.slice(0, end))].join('/');
}
