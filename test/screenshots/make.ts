import { takeDashboardPictures } from './dashboard.ts';
import { takeVisitorPictures } from './visitors.ts';

/**
 * Takes the pictures of the README and the documentation from a running installation with the demo's documents.
 * Of the widget and the page: `npm run screenshots -- http://localhost:8080 pub_… slug`. Of the dashboard:
 * `npm run screenshots -- dashboard http://localhost:8080 ADMIN_TOKEN [FOLDER]`.
 */
const [first, ...others] = process.argv.slice(2);
await (first === 'dashboard' ? takeDashboardPictures(others) : takeVisitorPictures([first ?? '', ...others]));
