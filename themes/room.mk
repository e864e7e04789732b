themesdir = $(pkgdatadir)/themes
dist_themes_DATA = \
	themes/catppuccin.theme \
	themes/colour-blind.theme \
	themes/contrast-dark.theme \
	themes/contrast-light.theme \
	themes/dark.theme \
	themes/dracula.theme \
	themes/gruvbox.theme \
	themes/light.theme \
	themes/mono.theme \
	themes/nord.theme \
	themes/sixteen.theme \
	themes/solarized-dark.theme \
	themes/solarized-light.theme
