import type { Catalogue } from '../english.ts';

/** `kind.field` where a kind of source has words of its own, otherwise `field`. */
export const sourceFields: Catalogue['sourceFields'] = {
  'folder.path': {
    title: 'Ordner',
    description: 'Der absolute Pfad des Ordners auf dem Server, in einem Ordner, den der Betrieb erlaubt.',
  },
  'website.url': {
    title: 'Adresse',
    description: 'Wo es losgeht: die erste Seite, eine Sitemap, ein Feed (RSS oder Atom) oder eine llms.txt.',
  },
  'website.follow': {
    title: 'Wie Seiten gefunden werden',
    description:
      'Von selbst: durch die Sitemap, wenn die Website eine hat, sonst durch Links. Nur Sitemap: Seiten, die sie nicht mehr nennt, werden entfernt.',
    options: { auto: 'Von selbst', sitemap: 'Nur Sitemap', links: 'Durch Links' },
  },
  'website.max_depth': {
    title: 'Höchste Tiefe',
    description: 'Wie viele Links eine Seite vom Anfang entfernt sein darf. 0 liest nur die erste Seite.',
  },
  'website.requests_per_second': {
    title: 'Anfragen je Sekunde',
    description: 'Wie schnell die Website gelesen wird. Ihre robots.txt kann weniger verlangen.',
  },
  'website.prefer_markdown': {
    title: 'Markdown bevorzugen',
    description: 'Ob die Markdown-Fassung einer Seite gelesen wird, wenn die Website eine anbietet.',
  },
  'website.include_subdomains': {
    title: 'Mit Subdomains',
    description: 'Ob Seiten von Subdomains dazugehören, etwa docs.example.com zu example.com.',
  },
};
