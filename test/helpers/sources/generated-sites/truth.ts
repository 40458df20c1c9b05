/** A page with the texts that its document must hold. Its unwanted texts are those of its generator and its own. */
export interface TruthPage {
  readonly generator: string;
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  readonly head?: string;
  readonly lead?: string;
  readonly wanted: readonly string[];
  readonly unwanted?: readonly string[];
  /** No rule was changed because of this page. */
  readonly isHeldOut?: boolean;
}

const jsonLd = (value: object): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** Twenty pages. The texts were written down before anything was measured. */
export const truthPages: readonly TruthPage[] = [
  {
    generator: 'Docusaurus',
    slug: 'install-agent',
    title: 'Install the agent',
    body: `<p>The agent needs 512 MB of memory.</p><div class="tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabs__item--active">Debian</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item">macOS</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><pre class="language-sh"><code>apt install ardent-agent</code></pre></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><pre class="language-sh"><code>brew install ardent</code></pre></div></div></div>
<details class="details_lb9f alert alert--info"><summary>What does exit code 9 mean?</summary><div><div class="collapsibleContent_i85q"><p>The licence file is older than the agent.</p></div></div></details>
<div class="theme-admonition theme-admonition-warning alert alert--warning"><div class="admonitionHeading_Gvgb">warning</div><div><p>Never copy the key to a shared disk.</p></div></div>`,
    wanted: [
      '512 MB of memory',
      'Debian',
      'apt install ardent-agent',
      'macOS',
      'brew install ardent',
      'What does exit code 9 mean?',
      'The licence file is older than the agent.',
      'Never copy the key to a shared disk.',
    ],
  },
  {
    generator: 'Docusaurus',
    slug: 'limits-table',
    title: 'Limits of each plan',
    body: `<p>Plans differ in their limits.</p><table><thead><tr><th>Plan</th><th>Seats</th><th>Support</th></tr></thead><tbody><tr><td>Birch</td><td>12</td><td><img src="/ok.svg" alt="Support included"></td></tr><tr><td>Oak</td><td>75</td><td>Within four hours</td></tr></tbody></table>
<figure><img src="/flow.png" alt="Requests pass the gate, then the queue, then a worker"><figcaption>Figure 2: the way of a request</figcaption></figure><dl><dt>Burst</dt><dd>Up to 300 requests in ten seconds.</dd></dl>`,
    wanted: [
      'Birch',
      'Support included',
      'Within four hours',
      'Requests pass the gate, then the queue, then a worker',
      'Figure 2: the way of a request',
      'Up to 300 requests in ten seconds.',
    ],
  },
  {
    generator: 'MkDocs',
    slug: 'offline-use',
    title: 'Offline use',
    body: `<p>Quillon works for 14 days without a network.</p><div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">Windows laptop</label><label for="__tabbed_1_2">Linux server</label></div><div class="tabbed-content"><div class="tabbed-block"><p>Copy the cache to drive D.</p></div><div class="tabbed-block"><p>Mount the cache under /srv/quillon.</p></div></div></div>
<details class="question"><summary>Can I extend the period?</summary><p>Yes, to 60 days, with a travel licence.</p></details><div class="admonition note"><p class="admonition-title">Note</p><p>The clock must not be set back.</p></div>`,
    wanted: [
      '14 days without a network',
      'Windows laptop',
      'Copy the cache to drive D.',
      'Linux server',
      'Mount the cache under /srv/quillon.',
      'Can I extend the period?',
      'Yes, to 60 days, with a travel licence.',
      'The clock must not be set back.',
    ],
  },
  {
    generator: 'MkDocs',
    slug: 'settings-reference',
    title: 'Settings reference',
    body: `<h2 id="cache">Cache</h2><dl><dt><code>cache_size</code></dt><dd>Largest size in megabytes; 250 by default.</dd><dt><code>cache_dir</code></dt><dd>An absolute path.</dd></dl><h2 id="network">Network</h2><p>Proxies need the port 3128.</p><pre><code>proxy: gate.internal:3128</code></pre>`,
    wanted: [
      'cache_size',
      'Largest size in megabytes; 250 by default.',
      'An absolute path.',
      'Network',
      'Proxies need the port 3128.',
      'proxy: gate.internal:3128',
    ],
  },
  {
    generator: 'GitBook',
    slug: 'travel-costs',
    title: 'Travel costs',
    lead: 'How Merrow pays back what you spend on a trip.',
    isHeldOut: true,
    body: `<p class="max-w-3xl">Send receipts within 21 days.</p><details class="group/expandable"><summary><h4>Which hotels are allowed?</h4></summary><div class="p-4"><p>Hotels up to 140 euros a night.</p></div></details>
<div class="tabs"><div role="tablist"><button role="tab" id="tab-a" aria-controls="tabpanel-a" aria-selected="true">By train</button><button role="tab" id="tab-b" aria-controls="tabpanel-b" aria-selected="false">By car</button></div><div role="tabpanel" id="tabpanel-a" aria-labelledby="tab-a"><p>Second class is paid in full.</p></div><div role="tabpanel" id="tabpanel-b" aria-labelledby="tab-b" class="hidden"><p>Each kilometre is paid with 38 cents.</p></div></div>`,
    wanted: [
      'How Merrow pays back what you spend on a trip.',
      'Send receipts within 21 days.',
      'Which hotels are allowed?',
      'Hotels up to 140 euros a night.',
      'By train',
      'Second class is paid in full.',
      'By car',
      'Each kilometre is paid with 38 cents.',
    ],
  },
  {
    generator: 'GitBook',
    slug: 'parental-leave',
    title: 'Parental leave',
    lead: 'For parents of children under eight.',
    isHeldOut: true,
    body: `<p>Both parents get 16 weeks.</p><blockquote><p>Tell your lead three months ahead.</p></blockquote><ul><li>The first six weeks are paid in full.</li><li>Later weeks are paid at 70 percent.</li></ul><figure><picture><img src="/leave.png" alt="Calendar with sixteen weeks in two blocks"></picture><figcaption>Two blocks are possible</figcaption></figure>`,
    wanted: [
      'For parents of children under eight.',
      'Both parents get 16 weeks.',
      'Tell your lead three months ahead.',
      'The first six weeks are paid in full.',
      'Later weeks are paid at 70 percent.',
      'Calendar with sixteen weeks in two blocks',
      'Two blocks are possible',
    ],
  },
  {
    generator: 'WordPress',
    slug: 'delivery-questions',
    title: 'Questions about delivery',
    lead: 'Everything drivers are asked at the door.',
    body: `<p>We deliver from Monday to Saturday.</p><div class="elementor-widget-container"><div class="elementor-toggle"><div class="elementor-toggle-item"><div id="elementor-tab-title-1211" class="elementor-tab-title" data-tab="1" role="button" aria-controls="elementor-tab-content-1211" aria-expanded="false"><a class="elementor-toggle-title" tabindex="0">Can the driver carry it upstairs?</a></div><div id="elementor-tab-content-1211" class="elementor-tab-content elementor-clearfix" data-tab="1" role="region" aria-labelledby="elementor-tab-title-1211" style="display: none;"><p>Up to the second floor, for 18 pounds.</p></div></div></div></div>
<div class="accordion" id="acc"><div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c2" aria-expanded="false" aria-controls="c2">What if nobody is at home?</button></h2><div id="c2" class="accordion-collapse collapse" aria-hidden="true"><div class="accordion-body">We come back on the next working day.</div></div></div></div>`,
    wanted: [
      'Everything drivers are asked at the door.',
      'We deliver from Monday to Saturday.',
      'Can the driver carry it upstairs?',
      'Up to the second floor, for 18 pounds.',
      'What if nobody is at home?',
      'We come back on the next working day.',
    ],
  },
  {
    generator: 'WordPress',
    slug: 'opening-hours',
    title: 'Opening hours',
    body: `<p>The yard opens at 7.30.</p><figure class="wp-block-table"><table><tbody><tr><td>Saturday</td><td>8 to 13</td></tr></tbody></table></figure><p>Keys are kept at gate C.</p>`,
    wanted: ['The yard opens at 7.30.', '8 to 13', 'Keys are kept at gate C.'],
  },
  {
    generator: 'WordPress',
    slug: 'workshop-rules',
    title: 'Rules of the workshop',
    isHeldOut: true,
    body: `<div class="wp-block-group"><div class="wp-block-columns"><div class="wp-block-column"><p>Goggles are worn in bay 4.</p></div><div class="wp-block-column"><p>Hair is tied back.</p></div></div></div><div class="et_pb_toggle et_pb_toggle_close"><h5 class="et_pb_toggle_title">Who may use the lathe?</h5><div class="et_pb_toggle_content clearfix" style="display:none"><p>Staff with the orange badge.</p></div></div><p><img class="alignnone" src="/p.jpg" alt="Emergency stop beside the door of bay 4"></p>`,
    wanted: [
      'Goggles are worn in bay 4.',
      'Hair is tied back.',
      'Who may use the lathe?',
      'Staff with the orange badge.',
      'Emergency stop beside the door of bay 4',
    ],
  },
  {
    generator: 'Zendesk Guide',
    slug: 'reset-password',
    title: 'Reset your password',
    body: `<ol><li>Open the sign-in page.</li><li>Choose the link under the field.</li></ol><p>The link is valid for 25 minutes.</p><div class="accordion-container"><h3 class="accordion-title" aria-expanded="false">I get no mail</h3><div class="accordion-content" aria-hidden="true" style="display:none"><p>Ask your mail team to allow norrby.example.</p></div></div>`,
    wanted: [
      'Open the sign-in page.',
      'Choose the link under the field.',
      'The link is valid for 25 minutes.',
      'I get no mail',
      'Ask your mail team to allow norrby.example.',
    ],
  },
  {
    generator: 'Zendesk Guide',
    slug: 'invoice-copy',
    title: 'Get a copy of an invoice',
    head: jsonLd({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'How long are invoices kept?',
          acceptedAnswer: { '@type': 'Answer', text: '<p>Invoices are kept for eleven years.</p>' },
        },
      ],
    }),
    body: '<p>Owners find invoices under Billing.</p><p>Others ask an owner of the account.</p>',
    wanted: [
      'Owners find invoices under Billing.',
      'Others ask an owner of the account.',
      'How long are invoices kept?',
      'Invoices are kept for eleven years.',
    ],
  },
  {
    generator: 'Zendesk Guide',
    slug: 'export-data',
    title: 'Export your data',
    isHeldOut: true,
    body: `<p>Exports are ready after two hours.</p><div class="tabs"><ul class="tabs-menu" role="tablist"><li class="tabs-link" role="tab" aria-selected="true" id="t1">As CSV</li><li class="tabs-link" role="tab" id="t2">As XML</li></ul><div class="tab" role="tabpanel" aria-labelledby="t1"><p>Columns are split by semicolons.</p></div><div class="tab is-hidden" role="tabpanel" aria-labelledby="t2" hidden><p>The schema has version 3.</p></div></div><div class="callout callout-info"><p>Attachments are not exported.</p></div>`,
    wanted: [
      'Exports are ready after two hours.',
      'As CSV',
      'Columns are split by semicolons.',
      'As XML',
      'The schema has version 3.',
      'Attachments are not exported.',
    ],
  },
  {
    generator: 'Shopify',
    slug: 'bench-vice',
    title: 'Bench vice 120',
    head: jsonLd({
      '@context': 'http://schema.org/',
      '@type': 'Product',
      name: 'Bench vice 120',
      offers: [
        { '@type': 'Offer', price: 84.5, priceCurrency: 'GBP', availability: 'http://schema.org/InStock' },
      ],
    }),
    body: `<div class="product__description rte"><p>Jaws of 120 mm, cast in one piece.</p></div><div class="product__accordion accordion quick-add-hidden"><details><summary role="button" aria-expanded="false"><h2 class="h4 accordion__title">Materials</h2></summary><div class="accordion__content rte"><p>Grey cast iron and steel.</p></div></details></div>
<button class="product-popup-modal__button" aria-haspopup="dialog" data-modal="#PopupModal-size">Size guide</button><div id="PopupModal-size" class="product-popup-modal" role="dialog" aria-label="Size guide" hidden><h2>Size guide</h2><p>The plate measures 15 by 20 cm.</p></div>`,
    wanted: [
      'Jaws of 120 mm, cast in one piece.',
      '84.5',
      'in stock',
      'Materials',
      'Grey cast iron and steel.',
      'The plate measures 15 by 20 cm.',
    ],
  },
  {
    generator: 'Shopify',
    slug: 'hand-plane',
    title: 'Hand plane No. 4',
    body: `<div class="price"><span class="price-item price-item--regular">£61.00 GBP</span></div><div class="product__description rte"><p>The blade is ground to 25 degrees.</p></div><div class="tabs"><div class="tab-titles"><a href="#tab-care" class="tab-link" data-toggle="tab">Care</a><a href="#tab-return" class="tab-link" data-toggle="tab">Returns</a></div><div id="tab-care" class="tab-pane active"><p>Oil the sole after use.</p></div><div id="tab-return" class="tab-pane" style="display: none"><p>Unused planes come back within 45 days.</p></div></div>`,
    wanted: [
      '£61.00 GBP',
      'The blade is ground to 25 degrees.',
      'Care',
      'Oil the sole after use.',
      'Returns',
      'Unused planes come back within 45 days.',
    ],
  },
  {
    generator: 'Shopify',
    slug: 'marking-gauge',
    title: 'Marking gauge',
    body: `<div class="product__description rte"><p>Beech with a brass wheel.</p><dl><dt>Weight</dt><dd>140 grams</dd><dt>Scale</dt><dd>Millimetres and inches</dd></dl></div>`,
    wanted: ['Beech with a brass wheel.', 'Weight', '140 grams', 'Millimetres and inches'],
  },
  {
    generator: 'Notion export',
    slug: 'onboarding',
    title: 'Onboarding',
    lead: 'For the first two weeks at Calder.',
    body: `<p>Bring your passport on the first day.</p><ul class="toggle"><li><details open=""><summary>Where do I park?</summary><p>Behind hall 6, on the green spots.</p></details></li></ul><figure class="callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">Lunch is free until Friday.</div></figure><figure class="image"><a href="x.png"><img src="x.png"/></a><figcaption>Map of the ground floor</figcaption></figure>`,
    wanted: [
      'For the first two weeks at Calder.',
      'Bring your passport on the first day.',
      'Where do I park?',
      'Behind hall 6, on the green spots.',
      'Lunch is free until Friday.',
      'Map of the ground floor',
    ],
  },
  {
    generator: 'Notion export',
    slug: 'on-call',
    title: 'On call',
    lead: 'Who answers at night.',
    body: `<p>The rota changes on Tuesdays at 10.</p><table class="collection-content"><thead><tr><th>Name</th><th>Pager</th></tr></thead><tbody><tr><td class="cell-title">Night desk</td><td>4471</td></tr></tbody></table><h2>Handover</h2><p>Write down open alarms.</p>`,
    wanted: [
      'Who answers at night.',
      'The rota changes on Tuesdays at 10.',
      'Night desk',
      '4471',
      'Handover',
      'Write down open alarms.',
    ],
  },
  {
    generator: 'Notion export',
    slug: 'expenses',
    title: 'Expenses',
    lead: 'What Calder pays for.',
    body: `<p>Books are paid up to 30 euros a month.</p><ul class="bulleted-list"><li style="list-style-type:disc">Courses need an approval.</li></ul>`,
    wanted: ['What Calder pays for.', 'Books are paid up to 30 euros a month.', 'Courses need an approval.'],
  },
  {
    generator: 'table layout',
    slug: 'wartung',
    title: 'Wartung der Heizung',
    isHeldOut: true,
    body: `<FONT FACE="Arial" SIZE="2">Eine Wartung dauert 90 Minuten.</FONT><BR><TABLE BORDER="1"><TR><TD><B>Kessel</B></TD><TD><B>Preis</B></TD></TR><TR><TD>bis 20 kW</TD><TD>118 Euro</TD></TR><TR><TD>bis 50 kW</TD><TD>164 Euro</TD></TR></TABLE><P>Anfahrt ist im Preis enthalten.</P>`,
    wanted: [
      'Wartung der Heizung',
      'Eine Wartung dauert 90 Minuten.',
      'bis 20 kW',
      '118 Euro',
      '164 Euro',
      'Anfahrt ist im Preis enthalten.',
    ],
  },
  {
    generator: 'table layout',
    slug: 'notdienst',
    title: 'Notdienst',
    isHeldOut: true,
    body: `<FONT FACE="Arial" SIZE="2">Der Notdienst kommt auch an Feiertagen.</FONT><P>Nachts kostet die Stunde 96 Euro.</P><IMG SRC="karte.gif" ALT="Karte: Umkreis von 30 Kilometern um Einbeck">`,
    wanted: [
      'Notdienst',
      'Der Notdienst kommt auch an Feiertagen.',
      'Nachts kostet die Stunde 96 Euro.',
      'Karte: Umkreis von 30 Kilometern um Einbeck',
    ],
  },
];
