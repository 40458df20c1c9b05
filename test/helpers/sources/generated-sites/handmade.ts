import { type Generator, linkTo, neighbours } from './prose.ts';

const notion: Generator = {
  name: 'Notion export',
  host: 'notion.example',
  pathOf: (slug) => `/${slug}-5f0c9a.html`,
  furniture: [
    'Calder team space',
    'Duplicate this page',
    'Report page to the owner',
    'Shared with everyone at Calder',
  ],
  render: (
    { title, body, head = '', lead },
    site,
  ) => `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${title}</title>${head}</head><body><div class="x1"><div class="x2"><a href="/">Calder team space</a></div><div class="x2">Shared with everyone at Calder</div></div>
<article id="5f0c9a${site.index}" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">📘</span></div><h1 class="page-title">${title}</h1><p class="page-description">${lead ?? ''}</p></header><div class="page-body">${body}</div></article>
<div class="x3"><div>Duplicate this page</div><div>Report page to the owner</div></div><span class="sans" style="font-size:14px;padding-top:2em">${neighbours(site, 2).map(linkTo).join(' ')}</span></body></html>`,
};

const tables: Generator = {
  name: 'table layout',
  host: 'tables.example',
  pathOf: (slug) => `/seiten/${slug}.htm`,
  furniture: [
    'Besucher seit 1999',
    'Optimiert für 1024 x 768',
    'Alle Angaben ohne Gewähr',
    'Unser Service',
    'Nach oben',
    'Wir freuen uns auf Ihren Anruf: 05551 2290',
  ],
  render: (
    { title, body, head = '' },
    site,
  ) => `<HTML><HEAD><TITLE>Brehm Haustechnik</TITLE>${head}</HEAD><BODY BGCOLOR="#ffffff"><TABLE WIDTH="960" ALIGN="center" CELLPADDING="0"><TR><TD COLSPAN="3"><IMG SRC="kopf.gif" ALT="Brehm Haustechnik seit 1962"></TD></TR>
<TR><TD WIDTH="160" VALIGN="top"><TABLE><TR><TD><FONT SIZE="2"><B>Unser Service</B></FONT></TD></TR>${site.pages
    .slice(0, 9)
    .map((page) => `<TR><TD><FONT SIZE="2">${linkTo(page)}</FONT></TD></TR>`)
    .join('')}<TR><TD><FONT SIZE="1">Besucher seit 1999</FONT></TD></TR></TABLE></TD>
<TD VALIGN="top"><FONT FACE="Arial" SIZE="5"><B>${title}</B></FONT><BR><BR>${body}<P><A HREF="#">Nach oben</A></P></TD>
<TD WIDTH="140" VALIGN="top"><FONT SIZE="2">Wir freuen uns auf Ihren Anruf: 05551 2290</FONT></TD></TR><TR><TD COLSPAN="3" ALIGN="center"><FONT SIZE="1">Alle Angaben ohne Gewähr. Optimiert für 1024 x 768.</FONT></TD></TR></TABLE></BODY></HTML>`,
};

export const handmade: readonly Generator[] = [notion, tables];
