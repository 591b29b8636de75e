"""Addresses of the 牌谱库: for everyone, and the collections of account holders."""

from django.urls import path

from scoring.views import collections, library

M = "manage/collections/"

urlpatterns = [
    path("library/", library.show_library, name="library"),
    path("library/statistics/", library.show_statistics, name="library_statistics"),
    path("library/hands.zpr", library.library_file, name="library_file"),
    path("library/record/<int:pk>/", library.show_record, name="library_record"),
    path("library/record/<int:pk>.zpr", library.record_file, name="library_record_file"),
    path(M, collections.show_collections, name="collections"),
    path(f"{M}<int:pk>/", collections.show_collection, name="collection"),
    path(f"{M}<int:pk>/publish/", collections.publish, name="collection_publish"),
    path(f"{M}<int:pk>/withdraw/", collections.withdraw, name="collection_withdraw"),
    path(f"{M}<int:pk>/again/", collections.again, name="collection_again"),
    path(f"{M}<int:pk>/remove/", collections.remove, name="collection_remove"),
]
