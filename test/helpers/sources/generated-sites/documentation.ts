import { type Generator, linkTo, neighbours, type PlainPage, type SiteContext } from './prose.ts';

const menu = (site: SiteContext, kind: string): string =>
  site.pages
    .slice(0, 18)
    .map((page) => `<li class="${kind}">${linkTo(page)}</li>`)
    .join('');

const docusaurus: Generator = {
  name: 'Docusaurus',
  host: 'docusaurus.example',
  pathOf: (slug) => `/docs/${slug}`,
  furniture: [
    'Skip to main content',
    'Ardent Guides',
    'Join the Discord',
    'Edit this page',
    'Last updated on',
    'Built with a static generator',
    'Version 4.2 (stable)',
  ],
  render: (
    { title, body, head = '' },
    site,
  ) => `<!doctype html><html lang="en" dir="ltr" class="docs-wrapper plugin-docs"><head><meta charset="UTF-8"><title>${title} | Ardent</title>${head}</head>
<body class="navigation-with-keyboard"><div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent_fXgn" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div>
<nav aria-label="Main" class="navbar navbar--fixed-top"><div class="navbar__inner"><a class="navbar__brand" href="/"><b>Ardent Guides</b></a><a class="navbar__link" href="/versions">Version 4.2 (stable)</a></div></nav>
<div id="__docusaurus_skipToContent_fallback" class="main-wrapper"><div class="docsWrapper_hBAB"><aside class="theme-doc-sidebar-container"><ul class="theme-doc-sidebar-menu menu__list">${menu(site, 'menu__list-item')}</ul></aside>
<main class="docMainContainer_TBSr"><div class="container"><div class="row"><div class="col docItemCol_VOVn"><div class="docItemContainer_Djhp"><article><nav class="breadcrumbs"><ul><li>Guides</li><li>${title}</li></ul></nav>
<div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header>${body}</div>
<footer class="theme-doc-footer"><a class="theme-edit-this-page" href="/edit">Edit this page</a><span class="theme-last-updated">Last updated on <time>Mar ${1 + site.index}, 2026</time></span></footer></article>
<nav class="pagination-nav">${neighbours(site, 2).map(linkTo).join('')}</nav></div></div><div class="col col--3"><div class="tableOfContents_bqdL"><ul class="table-of-contents"><li><a href="#a">Usage</a></li></ul></div></div></div></div></main></div></div>
<footer class="footer"><a href="/discord">Join the Discord</a><div class="footer__copyright">Built with a static generator.</div></footer></div><script src="/main.js"></script></body></html>`,
};

const mkdocs: Generator = {
  name: 'MkDocs',
  host: 'mkdocs.example',
  pathOf: (slug) => `/manual/${slug}/`,
  furniture: [
    'Skip to content',
    'Quillon Manual',
    'Back to top',
    'Made with a theme for manuals',
    'Copyright Quillon',
    'Was this page helpful?',
    'Thanks for your feedback!',
  ],
  render: (
    { title, body, head = '' },
    site,
  ) => `<!doctype html><html lang="en" class="no-js"><head><meta charset="utf-8"><title>${title} - Quillon Manual</title>${head}</head>
<body dir="ltr" data-md-color-scheme="default"><input class="md-toggle" data-md-toggle="drawer" type="checkbox" id="__drawer"><label class="md-overlay" for="__drawer"></label>
<div data-md-component="skip"><a href="#top" class="md-skip">Skip to content</a></div><header class="md-header"><nav class="md-header__inner" aria-label="Header"><span class="md-ellipsis">Quillon Manual</span></nav></header>
<div class="md-container"><main class="md-main"><div class="md-main__inner md-grid"><div class="md-sidebar md-sidebar--primary"><nav class="md-nav md-nav--primary"><ul>${menu(site, 'md-nav__item')}</ul></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><a href="/raw" title="Edit this page" class="md-content__button md-icon"></a><h1 id="top">${title}<a class="headerlink" href="#top">¶</a></h1>${body}
<form class="md-feedback" name="feedback"><fieldset><legend class="md-feedback__title">Was this page helpful?</legend><div class="md-feedback__note"><div hidden>Thanks for your feedback!</div></div></fieldset></form></article></div></div><button type="button" class="md-top md-icon" hidden>Back to top</button></main>
<footer class="md-footer"><div class="md-copyright"><div>Copyright Quillon</div>Made with a theme for manuals</div></footer></div></body></html>`,
};

const gitbook: Generator = {
  name: 'GitBook',
  host: 'gitbook.example',
  pathOf: (slug) => `/handbook/${slug}`,
  furniture: [
    'Search the handbook',
    'Powered by a book host',
    'Last updated 3 months ago',
    'Was this helpful?',
    'Copy link',
    'Talk to our sales team',
  ],
  render: (
    { title, body, head = '', lead },
    site,
  ) => `<!doctype html><html lang="en"><head><title>${title} | Merrow</title>${head}</head><body><div class="scroll-nojump">
<header id="site-header" class="flex sticky"><div class="w-full"><a class="group/headerlogo" href="/">Merrow</a><button class="text-tint"><span>Search the handbook</span></button><a class="button" href="/sales">Talk to our sales team</a></div></header>
<div class="flex"><div class="motion-safe:transition-all"><aside class="relative group/table-of-contents"><ul class="flex flex-col">${site.pages
    .slice(0, 14)
    .map((page) => `<li class="flex"><a class="toclink" href="${page.path}">${page.title}</a></li>`)
    .join(
      '',
    )}</ul><div class="sticky"><a href="https://host.example">Powered by a book host</a></div></aside></div>
<main class="flex-1 relative"><header class="max-w-3xl"><h1 class="text-4xl">${title}</h1><p class="text-lg text-tint">${lead ?? ''}</p></header><div class="grid">${body}</div>
<div class="flex mt-12"><a class="group" href="${neighbours(site, 1)[0]?.path}"><span class="text-xs">Next</span><span>${neighbours(site, 1)[0]?.title}</span></a></div><div class="flex items-center mt-6"><p class="text-sm">Last updated 3 months ago</p><div role="toolbar"><p class="text-sm">Was this helpful?</p><button>Copy link</button></div></div></main></div></div></body></html>`,
};

export const documentation: readonly Generator[] = [docusaurus, mkdocs, gitbook];

/** Content of a usual page of documentation. */
export function plainBody(site: Omit<SiteContext, 'pages'>, topic: string): Pick<PlainPage, 'body' | 'lead'> {
  const { prose } = site;
  const subject = `the team for ${topic.toLowerCase()}`;
  const steps = Array.from({ length: 3 }, () => `<li>${prose.sentence(subject)}</li>`).join('');
  return {
    lead: prose.sentence(topic),
    body: `<p>${prose.paragraph(subject)}</p><h2 id="usage">Usage</h2><ol>${steps}</ol><h2 id="limits">Limits</h2><p>${prose.paragraph(topic)}</p>`,
  };
}
