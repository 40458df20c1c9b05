import { takeDashboardPictures } from './dashboard.ts';
import { takeVisitorPictures } from './visitors.ts';

/**
 * Takes the pictures of the README and the documentation. This takes those of the widget and the page: `npm run
 * screenshots -- http://localhost:8080 pub_… slug`. This takes those of the dashboard, from an installation that it
 * starts: `npm run screenshots -- dashboard [FOLDER [NAME …]]`.
 */
const [first, ...others] = process.argv.slice(2);
await (first === 'dashboard' ? takeDashboardPictures(others) : takeVisitorPictures([first ?? '', ...others]));
