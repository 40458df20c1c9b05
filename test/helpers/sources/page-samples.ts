/** A made-up page with the texts that its document must hold, and those of the site around it. */
export interface PageSample {
  readonly name: string;
  readonly html: string;
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  /** Headings that must be sections of the document. */
  readonly headings: readonly string[];
  /** The kinds of blocks that must survive. */
  readonly kinds: readonly ('paragraph' | 'list' | 'table' | 'code')[];
}

const cookieBanner = `<div id="CybotCookiebotDialog" class="cookie-consent"><h2>We value your privacy</h2>
<p>We use cookies to personalise adverts and to analyse our traffic.</p><button>Accept all</button><a href="/cookies">Cookie settings</a></div>`;

const head = (title: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Fernhill</title></head>`;

const sentence = (about: string) =>
  `When you work with ${about}, Fernhill checks the values first, writes them down, and then tells everybody who needs to know about it.`;

/** Ten kinds of pages that companies have. */
export const pageSamples: readonly PageSample[] = [
  {
    name: 'documentation with a sidebar',
    html: `${head('Deploy keys')}<body><div class="navbar"><a href="/">Fernhill Home</a><a href="/pricing">Pricing plans</a></div>
<div class="layout"><div class="sidebar"><ul class="menu"><li><a href="/docs/install">Installation chapter</a></li><li><a href="/docs/keys">Deploy keys</a></li><li><a href="/docs/limits">Limits chapter</a></li></ul></div>
<div class="content"><nav class="breadcrumbs"><a href="/docs">Docs home</a> › <a href="/docs/keys">Keys</a></nav>
<h1>Deploy keys</h1><p>${sentence('deploy keys')}</p><h2>Create a key</h2><ol><li>Open the settings of the project.</li><li>Choose <b>Add key</b>.</li></ol>
<div class="highlight"><pre><code class="language-sh">fernhill keys create --name ci</code></pre></div>
<h3>Rotate a key</h3><p>Keys are replaced every ninety days.</p>
<div class="admonition note"><p>A revoked key stops working at once.</p></div>
<a class="edit-this-page" href="https://example.com/edit">Edit this page on Git</a>
<div class="pagination-nav"><a href="/docs/limits">Next: Limits chapter</a></div></div>
<div class="toc"><p>On this page</p><ul><li><a href="#create">Create a key</a></li></ul></div></div>
<div class="footer">© 2026 Fernhill Limited. All rights reserved.</div></body></html>`,
    wanted: [
      'checks the values first',
      'Open the settings of the project.',
      'fernhill keys create --name ci',
      'Keys are replaced every ninety days.',
      'A revoked key stops working at once.',
    ],
    unwanted: [
      'Pricing plans',
      'Installation chapter',
      'Docs home',
      'Edit this page',
      'Next: Limits',
      'On this page',
      'All rights reserved',
    ],
    headings: ['Create a key', 'Rotate a key'],
    kinds: ['paragraph', 'list', 'code'],
  },
  {
    name: 'shop page',
    html: `${head('Olive tree')}<body>${cookieBanner}<header class="site-header"><a href="/cart">Your basket (0)</a></header>
<main><ul class="breadcrumb"><li><a href="/plants">All plants</a></li><li>Olive tree</li></ul>
<div class="product"><h1>Olive tree</h1><p class="price">€ 34.00</p><p>Grows to 120 cm in a pot, in full sun.</p>
<table class="specs"><tr><th>Height</th><td>60 cm</td></tr><tr><th>Pot</th><td>14 cm, terracotta</td></tr></table>
<h2>Delivery</h2><p>Leaves our nursery within two days.</p></div>
<div class="related-products"><h2>You may also like</h2><ul><li><a href="/fig">Fig tree € 41</a></li></ul></div>
<div class="newsletter-signup"><h3>Ten percent off</h3><p>Subscribe to our newsletter.</p></div></main>
<footer>Imprint and terms</footer></body></html>`,
    wanted: [
      '€ 34.00',
      'Grows to 120 cm',
      '60 cm',
      '14 cm, terracotta',
      'Leaves our nursery within two days.',
    ],
    unwanted: [
      'Your basket',
      'We value your privacy',
      'All plants',
      'Fig tree',
      'Subscribe to our newsletter',
      'Imprint',
    ],
    headings: ['Delivery'],
    kinds: ['paragraph', 'table'],
  },
  {
    name: 'article of a help centre',
    html: `${head('Change your address')}<body><header><a href="/hc">Help centre home</a><form role="search"><input placeholder="Search"></form></header>
<main role="main"><div class="sub-nav"><ol class="breadcrumbs"><li><a href="/hc">Help centre home</a></li><li><a href="/hc/a">Account topics</a></li></ol></div>
<article class="article"><header><h1>Change your address</h1><div class="article-meta">Updated 3 days ago</div></header>
<div class="article-body"><p>You can change the address until the parcel leaves us.</p><h2>On the website</h2><ul><li>Open <b>My orders</b>.</li><li>Press <b>Change address</b>.</li></ul>
<h2>By telephone</h2><p>Call <a href="tel:+4912345">our team</a> between 9 and 17.</p></div>
<footer><div class="article-votes"><span>Was this article helpful?</span><span>12 out of 14 found this helpful</span></div></footer></article>
<section class="related-articles"><h3>Related articles</h3><ul><li><a href="/b">Cancel an order</a></li></ul></section>
<aside class="article-sidebar"><h3>Articles in this section</h3><a href="/c">Pay by invoice</a></aside></main></body></html>`,
    wanted: [
      'until the parcel leaves us',
      'Open My orders.',
      'Press Change address.',
      '+4912345',
      'between 9 and 17',
    ],
    unwanted: ['Account topics', 'helpful', 'Cancel an order', 'Pay by invoice', 'Help centre home'],
    headings: ['On the website', 'By telephone'],
    kinds: ['paragraph', 'list'],
  },
  {
    name: 'page with tables',
    html: `${head('Shipping rates')}<body><div id="header"><ul id="main-menu"><li><a href="/a">Menu entry one</a></li><li><a href="/b">Menu entry two</a></li></ul></div>
<div id="main"><h1>Shipping rates</h1><h2>Europe</h2><table><thead><tr><th>Country</th><th>Price</th><th>Days</th></tr></thead><tbody><tr><td>Norway</td><td>€ 12</td><td>3</td></tr><tr><td>Spain</td><td>€ 9</td><td>4</td></tr></tbody></table>
<h2>Overseas</h2><table><tr><th>Country</th><th>Price</th></tr><tr><td>Japan</td><td>€ 31</td></tr></table></div>
<div id="footer"><p>Follow us on social networks</p></div></body></html>`,
    wanted: ['Norway', '€ 12', 'Spain', 'Japan', '€ 31'],
    unwanted: ['Menu entry', 'Follow us'],
    headings: ['Europe', 'Overseas'],
    kinds: ['table'],
  },
  {
    name: 'code in tabs',
    html: `${head('Quick start')}<body><nav>Top navigation</nav><div class="page"><main><h1>Quick start</h1><p>Install the client in your language.</p>
<div class="tabs"><div role="tablist"><button role="tab" aria-controls="p1">npm</button><button role="tab" aria-controls="p2">pip</button></div>
<div role="tabpanel" id="p1"><pre><code class="language-bash">npm install fernhill</code></pre></div><div role="tabpanel" id="p2" hidden><pre><code class="language-bash">pip install fernhill</code></pre></div></div>
<h2>First call</h2><p>Then call the service.</p><pre><code class="language-js">await fernhill.call('hello');</code></pre>
<div class="feedback-widget">Did this page help? Yes No</div></main></div></body></html>`,
    wanted: [
      'npm install fernhill',
      'pip install fernhill',
      "await fernhill.call('hello');",
      'Then call the service.',
    ],
    unwanted: ['Top navigation', 'Did this page help'],
    headings: ['First call'],
    kinds: ['paragraph', 'code'],
  },
  {
    name: 'cookie banner without landmarks',
    html: `${head('Opening hours')}<body><div class="cookie-banner" role="region"><p>This site uses cookies.</p><p>Choose which ones you allow.</p></div>
<div class="top"><a href="/">Start</a> <a href="/menu">Lunch menu link</a></div>
<div class="text"><h1>Opening hours</h1><p>We open at eight and close at six.</p><p>On Sundays we stay closed.</p></div>
<div class="onetrust-pc-sdk"><p>Strictly necessary cookies are always active.</p></div></body></html>`,
    wanted: ['We open at eight', 'On Sundays we stay closed.'],
    unwanted: ['This site uses cookies', 'Choose which ones', 'Strictly necessary', 'Lunch menu link'],
    headings: [],
    kinds: ['paragraph'],
  },
  {
    name: 'questions in details',
    html: `${head('Questions')}<body><div class="wrap"><h1>Questions</h1>
<details><summary>Can I return a plant?</summary><p>Yes, within fourteen days.</p></details>
<details><summary>Do you ship to Iceland?</summary><p>Not at the moment.</p></details>
<div class="faq"><button aria-controls="a3" aria-expanded="false">How do I pay?</button><div id="a3" hidden><p>By card or by invoice.</p></div></div></div>
<div class="site-footer"><a href="/imprint">Imprint link</a></div></body></html>`,
    wanted: ['Yes, within fourteen days.', 'Not at the moment.', 'By card or by invoice.', 'How do I pay?'],
    unwanted: ['Imprint link'],
    headings: ['Can I return a plant?', 'Do you ship to Iceland?'],
    kinds: ['paragraph'],
  },
  {
    name: 'blog article',
    html: `${head('Spring news')}<body><div class="masthead"><a href="/">Blog home</a><a href="/about">About the authors</a></div>
<div class="post"><h1>Spring news</h1><div class="share-buttons"><a href="#">Share on networks</a></div>
${Array.from({ length: 6 }, (_, place) => `<p>Paragraph ${place + 1}. ${sentence('seedlings')}</p>`).join('')}
<blockquote>Water less in April.</blockquote><figure><img src="a.png" alt=""><figcaption>The new greenhouse</figcaption></figure></div>
<div id="comments" class="comments"><h3>2 comments</h3><p>First visitor says: lovely.</p></div>
<div class="widget sidebar-widget"><h3>Archives</h3><ul><li><a href="/2025">March 2025</a></li></ul></div></body></html>`,
    wanted: ['Paragraph 1.', 'Paragraph 6.', 'Water less in April.', 'The new greenhouse'],
    unwanted: ['About the authors', 'Share on networks', 'First visitor says', 'March 2025'],
    headings: [],
    kinds: ['paragraph'],
  },
  {
    name: 'reference with many short entries',
    html: `${head('Error codes')}<body><div class="main-navigation"><a href="/x">Reference start</a></div><div role="main"><h1>Error codes</h1>
<dl><dt>E1</dt><dd>The key is wrong.</dd><dt>E2</dt><dd>The limit is reached.</dd></dl>
<h2 id="e3">E3<a class="headerlink" href="#e3">¶</a></h2><p>Busy.</p><h2>E4</h2><p>Gone.</p><ul><li>First<ul><li>Nested</li></ul></li></ul></div>
<div class="sphinxsidebar"><h3>Table of Contents</h3></div></body></html>`,
    wanted: ['The key is wrong.', 'The limit is reached.', 'Busy.', 'Gone.', 'Nested'],
    unwanted: ['Reference start', 'Table of Contents', '¶'],
    headings: ['E3', 'E4'],
    kinds: ['list', 'paragraph'],
  },
  {
    name: 'several articles on a page',
    html: `${head('Our team')}<body><header class="banner-header">Phone us today</header><div id="content"><h1>Our team</h1>
<article><h2>Ada</h2><p>Looks after the seeds.</p></article><article><h2>Bo</h2><p>Drives the lorry.</p></article>
<section class="content-sidebar-layout"><h2>Where we are</h2><p>Mill Lane 4, Fernhill.</p></section></div>
<div class="popup-modal modal" role="dialog"><p>Get our catalogue</p></div><p class="copyright">© 2026 Fernhill</p></body></html>`,
    wanted: ['Looks after the seeds.', 'Drives the lorry.', 'Mill Lane 4, Fernhill.'],
    unwanted: ['Phone us today', 'Get our catalogue', '© 2026'],
    headings: ['Ada', 'Bo', 'Where we are'],
    kinds: ['paragraph'],
  },
];
