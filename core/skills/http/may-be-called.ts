/** Whether what visitors say may go to that address: in clear only where private networks may be called. */
export function mayBeCalled(url: string, allowPrivate: boolean): boolean {
  return allowPrivate || URL.parse(url)?.protocol === 'https:';
}
