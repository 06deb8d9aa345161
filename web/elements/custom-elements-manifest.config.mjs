/** Describes the elements for editors, Storybook and docs: dist/custom-elements.json, named by package.json. */
export default {
  globs: ['web/elements/mha-*.ts'],
  outdir: 'dist',
  litelement: true,
  plugins: [
    {
      name: 'only-what-is-public',
      // A module's path is that of the file which the package holds; private members are nobody's business.
      packageLinkPhase({ customElementsManifest }) {
        for (const module of customElementsManifest.modules) {
          module.path = module.path.replace(/^web\//, 'dist/').replace(/\.ts$/, '.js');
          for (const part of module.exports ?? []) part.declaration.module = module.path;
          for (const declaration of module.declarations ?? []) {
            declaration.members = declaration.members?.filter(
              ({ name, privacy }) =>
                !name.startsWith('#') && privacy !== 'private' && privacy !== 'protected',
            );
          }
        }
      },
    },
  ],
};
