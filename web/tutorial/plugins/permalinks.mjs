const CHAPTER = /<section class="chapter" id="([^"]+)"[^>]*>[^]*?<\/h2>/g;

const textIn = (heading, lang) =>
  new RegExp(`<span lang="${lang}"[^>]*>([^]*?)</span>`).exec(heading)?.[1].replace(/\s+/g, ' ').trim();

/** Adds a link to each chapter's heading, named by number and title. */
export const permalinks = () => ({
  name: 'permalinks',
  transformIndexHtml: {
    // After the chapters were inserted.
    order: 'pre',
    handler: (html) =>
      html.replace(CHAPTER, (start, id) => {
        const heading = start.slice(start.indexOf('<h2'));
        const [ko, en] = ['ko', 'en'].map((lang) => textIn(heading, lang));
        if (!ko || !en) throw new Error(`${id}: the title must be there in both languages`);
        const number = /\d+$/.exec(id)?.[0];
        return (
          `${start}<a class="permalink" href="#${id}"><span aria-hidden="true">#</span>` +
          `<span lang="ko">${number ? `${number}장 ` : ''}‘${ko}’ 링크</span>` +
          `<span lang="en">Link to ${number ? `chapter ${number}, ` : ''}“${en}”</span></a>`
        );
      }),
  },
});
