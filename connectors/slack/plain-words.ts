const control = /<([^<>]*)>/g;

/** What somebody wrote in Slack, without the marks that Slack puts around names and addresses. */
export function plainWords(text: string): string {
  return unescaped(text.replaceAll(control, (_, inner: string) => shown(inner)));
}

function shown(inner: string): string {
  const [target = '', ...labels] = inner.split('|');
  const label = labels.join('|');
  switch (target[0]) {
    case '@':
      return label === '' ? target : `@${label.replace(/^@/, '')}`;
    case '#':
      return `#${label || target.slice(1)}`;
    case '!':
      return label || `@${target.slice(1).split('^')[0]}`;
    default:
      return linked(target, label);
  }
}

function linked(address: string, label: string): string {
  const bare = address.replace(/^mailto:/, '');
  return label === '' || label === bare || address.endsWith(`//${label}`) ? bare : `${label} (${bare})`;
}

/** Slack escapes these three and nothing else. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
