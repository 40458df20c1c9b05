import { type Generator, linkTo, neighbours } from './prose.ts';

const wordpress: Generator = {
  name: 'WordPress',
  host: 'wordpress.example',
  pathOf: (slug) => `/${slug}/`,
  furniture: [
    'Proudly powered by a blog engine',
    'Call us today on 0800 555 019',
    'Recent Posts',
    'Leave a Reply',
    'We value your privacy',
    'Accept all cookies',
    'Categories',
    'Share this:',
  ],
  render: (
    { title, body, head = '', lead },
    site,
  ) => `<!DOCTYPE html><html lang="en-GB"><head><title>${title} &#8211; Tilden Works</title>${head}</head><body class="post-template-default single wp-embed-responsive elementor-default">
<a class="skip-link screen-reader-text" href="#content">Skip to content</a><div class="top-strip"><span>Call us today on 0800 555 019</span></div><div id="page" class="hfeed site"><header id="masthead" class="site-header"><p class="site-title"><a href="/">Tilden Works</a></p><div class="menu-primary-container"><ul id="menu-primary" class="menu">${site.pages
    .slice(0, 6)
    .map((page) => `<li class="menu-item">${linkTo(page)}</li>`)
    .join('')}</ul></div></header>
<div id="content" class="site-content"><div id="primary" class="content-area"><div class="site-main"><div id="post-${site.index}" class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">${title}</h1>${lead === undefined ? '' : `<p class="entry-subtitle">${lead}</p>`}</header><div class="entry-content">${body}
<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a href="#">Mail</a></li></ul></div></div><footer class="entry-footer"><span class="cat-links">Posted in <a href="/c">News</a></span></footer></div>
<div id="comments" class="comments-area"><h3 id="reply-title">Leave a Reply</h3><form><textarea></textarea></form></div></div></div>
<div id="secondary" class="widget-area"><div class="widget widget_recent_entries"><h2 class="widget-title">Recent Posts</h2><ul>${neighbours(
    site,
    5,
  )
    .map((page) => `<li>${linkTo(page)}</li>`)
    .join(
      '',
    )}</ul></div><div class="widget widget_categories"><h2 class="widget-title">Categories</h2><ul><li><a href="/c">News</a></li></ul></div></div></div>
<div id="colophon" class="site-info">Proudly powered by a blog engine</div></div><div class="cmplz-cookiebanner" role="dialog" aria-hidden="true" style="display:none"><div class="cmplz-title">We value your privacy</div><p>To provide the best experiences, we and our partners use technologies such as cookies.</p><button>Accept all cookies</button></div></body></html>`,
};

const zendesk: Generator = {
  name: 'Zendesk Guide',
  host: 'zendesk.example',
  pathOf: (slug) => `/hc/en-us/articles/36001-${slug}`,
  furniture: [
    'Submit a request',
    'Was this article helpful?',
    'out of 3 found this helpful',
    'Have more questions?',
    'Related articles',
    'Articles in this section',
    'Recently viewed articles',
    'Toggle navigation menu',
  ],
  render: (
    { title, body, head = '' },
    site,
  ) => `<!DOCTYPE html><html dir="ltr" lang="en-US"><head><title>${title} – Norrby Help</title>${head}</head><body class="community-enabled"><a class="skip-navigation" tabindex="1" href="#main-content">Skip to main content</a>
<header class="header"><div class="logo"><a title="Home" href="/hc/en-us">Norrby Help</a></div><div class="nav-wrapper-desktop"><nav class="user-nav" id="user-nav"><ul class="user-nav-list"><li><a href="/hc/requests/new">Submit a request</a></li></ul></nav></div><button class="menu-button" aria-controls="user-nav-mobile" aria-expanded="false" aria-label="Toggle navigation menu"><span>Toggle navigation menu</span></button><div class="menu-list-mobile" id="user-nav-mobile" aria-expanded="false"><ul><li><a href="/hc/requests/new">Submit a request</a></li></ul></div></header>
<main role="main"><div class="container-divider"></div><div class="container"><div class="sub-nav"><ol class="breadcrumbs"><li><a href="/hc">Norrby Help</a></li><li>General</li></ol></div><div class="article-container" id="article-container"><aside class="article-sidebar"><div class="collapsible-sidebar"><button class="collapsible-sidebar-toggle" aria-expanded="false"></button><span class="collapsible-sidebar-title">Articles in this section</span><div class="collapsible-sidebar-body"><ul>${site.pages
    .slice(0, 10)
    .map((page) => `<li>${linkTo(page)}</li>`)
    .join('')}</ul></div></div></aside>
<article id="main-content" class="article"><header class="article-header"><h1 title="${title}" class="article-title">${title}</h1><div class="article-author"><div class="article-meta"><a href="/p">Agent Lind</a></div></div></header><section class="article-info"><div class="article-content"><div class="article-body">${body}</div></div></section>
<footer><div class="article-footer"></div><div class="article-votes"><span class="article-votes-question">Was this article helpful?</span><span class="article-votes-count">2 out of 3 found this helpful</span></div><div class="article-more-questions">Have more questions? <a href="/r">Submit a request</a></div></footer><div class="article-relatives"><div data-recent-articles><h2 class="recent-articles-title">Recently viewed articles</h2></div><section class="related-articles"><h2 class="related-articles-title">Related articles</h2><ul>${neighbours(
    site,
    4,
  )
    .map((page) => `<li>${linkTo(page)}</li>`)
    .join(
      '',
    )}</ul></section></div></article></div></div></main><footer class="footer"><div class="footer-inner">Norrby Help</div></footer></body></html>`,
};

const shopify: Generator = {
  name: 'Shopify',
  host: 'shopify.example',
  pathOf: (slug) => `/products/${slug}`,
  furniture: [
    'Free shipping on orders over 60',
    'Item added to your cart',
    'Your cart is empty',
    'Subscribe to our emails',
    'You may also like',
    'Pickup currently unavailable',
    'Choosing a selection results in a full page refresh',
    'Country/region',
  ],
  render: (
    { title, body, head = '' },
    site,
  ) => `<!doctype html><html class="no-js" lang="en"><head><title>${title} – Hollis &amp; Reed</title>${head}</head><body class="gradient"><a class="skip-to-content-link button visually-hidden" href="#MainContent">Skip to content</a>
<div class="cart-drawer"><div id="CartDrawer" class="drawer__inner"><h2 class="cart__empty-text">Your cart is empty</h2></div></div><div class="shopify-section shopify-section-group-header-group announcement-bar-section"><div class="utility-bar"><p class="announcement-bar__message h5"><span>Free shipping on orders over 60</span></p></div></div>
<div class="shopify-section section-header"><sticky-header class="header-wrapper"><div class="header__inline-menu"><ul class="list-menu"><li><a href="/collections/all">All tools</a></li><li><a href="/pages/about">About</a></li></ul></div><cart-notification><div class="cart-notification-wrapper"><div id="cart-notification" class="cart-notification focus-inset" role="dialog" hidden><h2 class="cart-notification__heading">Item added to your cart</h2></div></div></cart-notification></sticky-header></div>
<main id="MainContent" class="content-for-layout" role="main"><section class="shopify-section section"><div class="product grid"><div class="product__title"><h1>${title}</h1></div><pickup-availability class="quick-add-hidden"><p class="caption-large">Pickup currently unavailable at our yard.</p></pickup-availability>${body}</div></section>
<section class="shopify-section section"><product-recommendations><h2 class="related-products__heading">You may also like</h2><ul class="grid product-grid">${neighbours(
    site,
    4,
  )
    .map((page) => `<li class="grid__item"><h3 class="card__heading">${linkTo(page)}</h3></li>`)
    .join('')}</ul></product-recommendations></section></main>
<div class="shopify-section section-footer"><div class="footer-block"><h2 class="footer-block__heading">Subscribe to our emails</h2></div><div class="localization"><h2 class="caption-large">Country/region</h2><ul class="disclosure__list" hidden><li>Norway</li><li>Portugal</li></ul></div></div><ul hidden><li id="a11y-refresh-page-message">Choosing a selection results in a full page refresh.</li></ul></body></html>`,
};

export const business: readonly Generator[] = [wordpress, zendesk, shopify];
