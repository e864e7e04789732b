themesdir = $(pkgdatadir)/themes
dist_themes_DATA = themes/dark.theme themes/light.theme themes/mono.theme
